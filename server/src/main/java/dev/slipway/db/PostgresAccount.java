package dev.slipway.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who PostgreSQL runs as. It refuses to run as root, so a server that is root gives it an account
 * of its own, or, where that account cannot reach the files, a user namespace in which root has
 * another number.
 *
 * @param prefix the arguments that stand before the program's
 * @param owner whom the cluster's files must belong to; empty: to whoever makes them
 */
record PostgresAccount(List<String> prefix, Optional<UserPrincipal> owner) {
  static final String NAME = "slipway-db";

  /** Any number but 0 will do: nothing of it is seen outside the namespace. */
  private static final String NUMBER_INSIDE = "1000";

  PostgresAccount {
    prefix = List.copyOf(prefix);
  }

  /** The first way that works here: it reaches the programs and the home, tried out. */
  static PostgresAccount choose(PostgresBinaries binaries, Path home) {
    if (!isRoot()) {
      return new PostgresAccount(List.of(), Optional.empty());
    }
    List<String> refusals = new ArrayList<>();
    return Stream.of(dedicated(), namespace())
        .flatMap(Optional::stream)
        .filter(account -> account.reaches(binaries, home, refusals))
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                ("PostgreSQL does not run as root, and neither the account %s nor a user"
                        + " namespace can use %s (%s): choose a data_dir whose parent folders"
                        + " everyone may traverse (chmod o+x), or run the server as a user"
                        + " other than root, or set store.url")
                    .formatted(NAME, home, String.join("; ", refusals))));
  }

  static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read /proc/self", e);
    }
  }

  /** These arguments, run as this account. */
  List<String> command(List<String> arguments) {
    return Stream.concat(prefix.stream(), arguments.stream()).toList();
  }

  private boolean reaches(PostgresBinaries binaries, Path home, List<String> refusals) {
    Command.Result result =
        Command.run(
            command(List.of("env", "--chdir=" + home, binaries.program("postgres"), "--version")));
    if (!result.succeeded()) {
      refusals.add(result.output());
    }
    return result.succeeded();
  }

  private static Optional<PostgresAccount> dedicated() {
    Optional<UserPrincipal> existing = lookUp(NAME);
    if (existing.isEmpty()) {
      // A concurrent start may be faster, and a read-only /etc may refuse: look again, not at this.
      Command.find("useradd").ifPresent(PostgresAccount::create);
      existing = lookUp(NAME);
    }
    return existing.map(principal ->
        new PostgresAccount(
            List.of(
                "setpriv",
                "--reuid=" + NAME,
                "--regid=" + NAME,
                "--clear-groups",
                "--no-new-privs",
                "--"),
            Optional.of(principal)));
  }

  private static void create(String useradd) {
    Command.run(
        List.of(
            useradd,
            "--system",
            "--user-group",
            "--no-create-home",
            "--home-dir=/nonexistent",
            "--shell=/usr/sbin/nologin",
            NAME));
  }

  private static Optional<PostgresAccount> namespace() {
    return Optional.of(
        new PostgresAccount(
            List.of(
                "unshare",
                "--user",
                "--map-user=" + NUMBER_INSIDE,
                "--map-group=" + NUMBER_INSIDE,
                "--"),
            lookUp("root")));
  }

  private static Optional<UserPrincipal> lookUp(String name) {
    try {
      return Optional.of(
          FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name));
    } catch (UserPrincipalNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look up the account " + name, e);
    }
  }
}
