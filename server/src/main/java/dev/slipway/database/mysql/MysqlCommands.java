package dev.slipway.database.mysql;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DumpProgram;
import dev.slipway.database.mysql.MysqlPrograms.Program;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How the two programs are called. Who logs in, and where, is in a file that they alone can read.
 */
final class MysqlCommands {
  private static final String CREDENTIALS = "credentials";
  private static final int MAX_LINE = 4000;

  private static final List<String> DUMP =
      List.of(
          "--single-transaction",
          "--quick",
          // Twice as long, a value that the server took could be more than it takes.
          "--skip-hex-blob",
          "--no-tablespaces",
          // What is there is not ours to drop: the database that is filled is an empty one.
          "--skip-add-drop-table",
          "--skip-dump-date");

  private static final List<String> ALL_BUT_ROUTINES = List.of("--triggers", "--events");
  private static final List<String> ROUTINES = List.of("--routines");

  /** Reads no row and asks for no view, so that nothing of the database's owner is run. */
  private static final List<String> NOTHING_ELSE =
      List.of("--no-create-info", "--no-data", "--skip-triggers", "--skip-events");

  private static final List<String> OF_MYSQL =
      List.of("--set-gtid-purged=OFF", "--column-statistics=0");

  /**
   * In binary mode it obeys no command of its own that it reads, such as a shell's; the sandbox,
   * where it knows that, says it once more.
   */
  private static final List<String> CLIENT =
      List.of("--batch", "--binary-mode", "--loose-sandbox", "--local-infile=0");

  private static final List<String> BOTH =
      List.of("--default-character-set=utf8mb4", "--max-allowed-packet=1G");

  private static final List<Path> AUTHORITIES =
      List.of(
          Path.of("/etc/ssl/certs/ca-certificates.crt"),
          Path.of("/etc/pki/tls/certs/ca-bundle.crt"));

  private MysqlCommands() {}

  /** All of a database, as its login sees it. */
  static DumpProgram dump(Program program, DatabaseLink from) {
    return dump(program, from, ALL_BUT_ROUTINES, ROUTINES);
  }

  static DumpProgram dumpWithoutRoutines(Program program, DatabaseLink from) {
    return dump(program, from, ALL_BUT_ROUTINES, List.of("--skip-routines"));
  }

  /**
   * @param administrator who may read those of others: a login may not read those of an earlier one
   */
  static DumpProgram dumpRoutines(Program program, DatabaseLink administrator) {
    return dump(program, administrator, ROUTINES, NOTHING_ELSE);
  }

  private static DumpProgram dump(
      Program program, DatabaseLink from, List<String> parts, List<String> others) {
    List<String> more = new ArrayList<>(DUMP);
    more.addAll(parts);
    more.addAll(others);
    if (!program.isMaria()) {
      more.addAll(OF_MYSQL);
    }
    more.add(from.place().name());
    return program(program, "could not read the database", from, more).through(DumpText::new);
  }

  static DumpProgram fill(Program program, DatabaseLink into) {
    List<String> more = new ArrayList<>(CLIENT);
    more.add("--database=" + into.place().name());
    return program(program, "could not fill the database", into, more);
  }

  private static DumpProgram program(
      Program program, String what, DatabaseLink link, List<String> more) {
    List<String> command = new ArrayList<>();
    command.add(program.path().toString());
    command.add("--defaults-file=" + CREDENTIALS); // counts as the first argument alone
    command.addAll(BOTH);
    command.addAll(encryption(program, link));
    command.addAll(more);
    return new DumpProgram(
        program.name(),
        what,
        command,
        Map.of(),
        List.of(),
        Map.of(CREDENTIALS, credentials(link)),
        List.of(link.login().password()),
        DumpProgram.STRICT);
  }

  private static List<String> encryption(Program program, DatabaseLink link) {
    SslMode mode = SslMode.of(link.place());
    List<String> options = new ArrayList<>();
    if (program.isMaria()) {
      options.addAll(
          switch (mode) {
            case DISABLED -> List.of("--skip-ssl");
            case PREFERRED, REQUIRED -> List.of("--ssl", "--skip-ssl-verify-server-cert");
            case VERIFY_IDENTITY -> List.of("--ssl", "--ssl-verify-server-cert");
          });
    } else {
      options.add("--ssl-mode=" + mode);
      if (MysqlSessionStore.isHere(link.place().host())) {
        options.add("--get-server-public-key");
      }
    }
    if (mode == SslMode.VERIFY_IDENTITY) {
      AUTHORITIES.stream()
          .filter(Files::exists)
          .findFirst()
          .ifPresent(file -> options.add("--ssl-ca=" + file));
    }
    return options;
  }

  /**
   * @throws AppFailure {@code DATABASE_FAILED} where a line is longer than a program reads: what is
   *     beyond that would be lines of its own
   */
  private static Secret credentials(DatabaseLink link) {
    String lines =
        """
        [client]
        protocol=tcp
        host=%s
        port=%d
        user=%s
        password=%s
        """
            .formatted(
                link.place().host(),
                link.place().port(),
                quoted(link.login().user()),
                quoted(link.login().password().reveal()));
    if (lines.lines().anyMatch(it -> it.getBytes(StandardCharsets.UTF_8).length > MAX_LINE)) {
      throw new AppFailure(
          FailureCode.DATABASE_FAILED,
          "The password of %s is longer than the programs of MySQL can read: give it one of at most %d characters."
              .formatted(link.login().user(), MAX_LINE / 2));
    }
    return new Secret(lines);
  }

  private static String quoted(String value) {
    return '"'
        + value
            .replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", "\\n")
            .replace("\r", "\\r")
            .replace("\t", "\\t")
        + '"';
  }
}
