package dev.slipway.database.postgres;

import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DumpProgram;
import dev.slipway.database.postgres.PostgresPrograms.Found;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How the two programs are called. Whose password it is, and where the server, no argument says.
 */
final class PostgresCommands {
  /** Zlib's fastest: every build of the programs can read it. */
  static final int FOR_KEEPS = 1;

  static final int FOR_THE_WAY = 0;

  /** Roles and tablespaces are of one server; the rest only those may make who run it. */
  private static final List<String> OF_ONE_SERVER =
      List.of(
          "--format=custom",
          "--no-password",
          "--no-owner",
          "--no-privileges",
          "--no-tablespaces",
          "--no-publications",
          "--no-subscriptions",
          "--no-security-labels");

  /** Of these versions on, {@code pg_restore} sets what servers before them do not know. */
  private static final int SETS_TRANSACTION_TIMEOUT = 17;

  private static final int CAN_EXCLUDE_EXTENSIONS = 17;
  private static final int CAN_CHOOSE_EXTENSIONS = 14;
  private static final String PASSWORD_FILE = "password";

  private static final List<Path> AUTHORITIES =
      List.of(
          Path.of("/etc/ssl/certs/ca-certificates.crt"),
          Path.of("/etc/pki/tls/certs/ca-bundle.crt"));

  private PostgresCommands() {}

  static DumpProgram dump(Found found, DatabaseLink from, int compression, List<String> more) {
    List<String> command = new ArrayList<>(List.of(found.program("pg_dump")));
    command.addAll(OF_ONE_SERVER);
    command.addAll(List.of("--compress=" + compression, "--quote-all-identifiers"));
    command.add("--lock-wait-timeout=5min");
    command.addAll(more);
    return program(
        "pg_dump", "could not read the database", command, found, from, DumpProgram.STRICT);
  }

  /**
   * @param major of the server
   */
  static DumpProgram restore(Found found, DatabaseLink into, int major) {
    boolean tooNew = found.major() >= SETS_TRANSACTION_TIMEOUT && major < SETS_TRANSACTION_TIMEOUT;
    List<String> command = new ArrayList<>(List.of(found.program("pg_restore")));
    command.addAll(OF_ONE_SERVER);
    command.add("--dbname="); // which is asked for, though the environment says it
    if (!tooNew) {
      command.add("--exit-on-error");
    }
    return program(
        "pg_restore",
        "could not fill the database",
        command,
        found,
        into,
        tooNew ? PostgresCommands::onlyItsTimeout : DumpProgram.STRICT);
  }

  /** Leaves extensions out, as far as a {@code pg_dump} of that version can. */
  static List<String> without(Collection<String> leftOut, Collection<String> all, int major) {
    if (leftOut.isEmpty() || major < CAN_CHOOSE_EXTENSIONS) {
      return List.of();
    }
    if (major >= CAN_EXCLUDE_EXTENSIONS) {
      return leftOut.stream().map(name -> "--exclude-extension=" + exactly(name)).toList();
    }
    return Stream.concat(Stream.of("plpgsql"), all.stream().filter(name -> !leftOut.contains(name)))
        .map(name -> "--extension=" + exactly(name))
        .toList();
  }

  /** As a pattern, which matches nothing else. */
  private static String exactly(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  private static boolean onlyItsTimeout(List<String> said) {
    return !said.isEmpty()
        && said.getLast().endsWith("errors ignored on restore: 1")
        && said.stream()
            .anyMatch(line ->
                line.contains("unrecognized configuration parameter")
                    && line.contains("\"transaction_timeout\""));
  }

  private static DumpProgram program(
      String name,
      String what,
      List<String> command,
      Found found,
      DatabaseLink link,
      Predicate<List<String>> forgives) {
    Secret password = link.login().password();
    return new DumpProgram(
        name,
        what,
        command,
        environment(link),
        found.directories(),
        Map.of(PASSWORD_FILE, passwordFile(password)),
        List.of(password),
        forgives);
  }

  private static Map<String, String> environment(DatabaseLink link) {
    DatabasePlace place = link.place();
    Map<String, String> env = new HashMap<>();
    env.put("PGHOST", place.host());
    env.put("PGPORT", Integer.toString(place.port()));
    env.put("PGDATABASE", place.name());
    env.put("PGUSER", link.login().user());
    env.put("PGPASSFILE", PASSWORD_FILE);
    env.put("PGAPPNAME", "slipway");
    env.put("PGCONNECT_TIMEOUT", "10");
    env.put("PGGSSENCMODE", "disable");
    Optional.ofNullable(place.parameters().get("sslmode"))
        .ifPresent(mode -> {
          env.put("PGSSLMODE", mode);
          AUTHORITIES.stream()
              .filter(Files::exists)
              .findFirst()
              .filter(_ -> mode.startsWith("verify"))
              .ifPresent(file -> env.put("PGSSLROOTCERT", file.toString()));
        });
    return env;
  }

  private static Secret passwordFile(Secret password) {
    String escaped = password.reveal().replace("\\", "\\\\").replace(":", "\\:");
    return new Secret("*:*:*:*:" + escaped + "\n");
  }
}
