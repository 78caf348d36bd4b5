package dev.slipway.db;

import java.nio.file.Path;

/**
 * Where an embedded PostgreSQL lives on disk and how careful it is. All paths are absolute.
 *
 * @param home holds the cluster; one server at a time may use it
 * @param binaries holds the unpacked programs; may be shared by several homes
 * @param passwordFile the superuser's password, mode 0600, made at the first start
 * @param fsync false loses data in a crash of the machine: for tests alone
 */
public record PostgresSettings(Path home, Path binaries, Path passwordFile, boolean fsync) {
  public PostgresSettings {
    home = home.toAbsolutePath().normalize();
    binaries = binaries.toAbsolutePath().normalize();
    passwordFile = passwordFile.toAbsolutePath().normalize();
  }

  /** The control plane's own cluster below the data directory of the configuration. */
  public static PostgresSettings below(Path dataDir) {
    Path home = dataDir.resolve("postgres");
    return new PostgresSettings(
        home, home, dataDir.resolve("keys").resolve("store-password"), true);
  }
}
