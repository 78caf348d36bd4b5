package dev.slipway.db;

import dev.slipway.core.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The data directory of PostgreSQL and the password to it. */
final class PostgresCluster {
  static final String SUPERUSER = "slipway";
  private static final int PASSWORD_BYTES = 32;

  private final PostgresSettings settings;

  PostgresCluster(PostgresSettings settings) {
    this.settings = settings;
  }

  Path data() {
    return settings.cluster();
  }

  StoreAddress address(int port) {
    // requireAuth: a stranger who took the port while PostgreSQL was down must not be told the
    // password.
    return new StoreAddress(
        "jdbc:postgresql://127.0.0.1:%d/postgres?requireAuth=scram-sha-256".formatted(port),
        SUPERUSER,
        password());
  }

  /** Makes the cluster at the first start; a killed start leaves nothing that this trusts. */
  void prepare(PostgresBinaries binaries, PostgresAccount account) {
    try {
      Folders.deleteUnfinished(settings.home());
      if (Files.isDirectory(data())) {
        password();
        give(account);
      } else {
        initialize(binaries, account);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot prepare the cluster in " + data(), e);
    }
  }

  private void initialize(PostgresBinaries binaries, PostgresAccount account) throws IOException {
    if (!Files.exists(settings.passwordFile())) {
      writePassword();
    }
    Path unfinished = Files.createTempDirectory(settings.home(), Folders.UNFINISHED);
    Path passwordCopy = Files.writeString(unfinished.resolve("password"), password().reveal());
    Files.setPosixFilePermissions(passwordCopy, PosixFilePermissions.fromString("rw-------"));
    if (account.owner().isPresent()) {
      Folders.giveTree(unfinished, account.owner().get());
    }
    Path data = unfinished.resolve("data");
    Command.Result result = Command.run(account.command(initdb(binaries, data, passwordCopy)));
    if (!result.succeeded()) {
      throw new IllegalStateException("initdb failed in %s: %s".formatted(data, result.output()));
    }
    Files.move(data, data(), StandardCopyOption.ATOMIC_MOVE);
    Folders.sync(settings.home());
    Folders.deleteTree(unfinished);
  }

  private List<String> initdb(PostgresBinaries binaries, Path data, Path passwordCopy) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                binaries.program("initdb"),
                "--pgdata=" + data,
                "--username=" + SUPERUSER,
                "--pwfile=" + passwordCopy,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C",
                "--data-checksums",
                "--no-instructions"));
    if (!settings.fsync()) {
      arguments.add("--no-sync");
    }
    return arguments;
  }

  // The server may have run as another user before, or the folder may have been moved.
  private void give(PostgresAccount account) throws IOException {
    if (account.owner().isPresent()) {
      UserPrincipal owner = account.owner().get();
      if (!Files.getOwner(data(), LinkOption.NOFOLLOW_LINKS).equals(owner)) {
        Folders.giveTree(data(), owner);
      }
    }
  }

  private Secret password() {
    try {
      return new Secret(Files.readString(settings.passwordFile()).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read the password of the embedded PostgreSQL, %s: put it back from a backup"
              .formatted(settings.passwordFile()),
          e);
    }
  }

  private void writePassword() throws IOException {
    byte[] bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    PrivateFile.write(settings.passwordFile(), HexFormat.of().formatHex(bytes));
  }
}
