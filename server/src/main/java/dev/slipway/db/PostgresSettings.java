package dev.slipway.db;

import java.nio.file.Path;

/**
 * Where an embedded PostgreSQL lives on disk and how careful it is. All paths are absolute.
 *
 * @param home holds the cluster; one server at a time may use it
 * @param binaries holds the unpacked programs; may be shared by several homes
 * @param passwordFile the superuser's password, mode 0600, made at the first start
 * @param fsync false loses data in a crash of the machine: for tests alone
 * @param profile what it is for
 */
public record PostgresSettings(
    Path home, Path binaries, Path passwordFile, boolean fsync, PostgresProfile profile) {
  public PostgresSettings {
    home = home.toAbsolutePath().normalize();
    binaries = binaries.toAbsolutePath().normalize();
    passwordFile = passwordFile.toAbsolutePath().normalize();
  }

  /** A store's. */
  public PostgresSettings(Path home, Path binaries, Path passwordFile, boolean fsync) {
    this(home, binaries, passwordFile, fsync, PostgresProfile.STORE);
  }

  /** The control plane's own cluster below the data directory of the configuration. */
  public static PostgresSettings below(Path dataDir) {
    Path home = dataDir.resolve("postgres");
    return new PostgresSettings(home, home, key(dataDir, "store-password"), true);
  }

  /** The cluster with the databases of applications; it has its programs of the store's. */
  public static PostgresSettings ofApplications(Path dataDir) {
    return new PostgresSettings(
            dataDir.resolve("databases").resolve("postgres"),
            dataDir.resolve("postgres"),
            key(dataDir, "databases-password"),
            true)
        .forApplications();
  }

  /** The same place and care for the databases of applications. */
  public PostgresSettings forApplications() {
    return new PostgresSettings(home, binaries, passwordFile, fsync, PostgresProfile.APPLICATIONS);
  }

  /** The data directory of PostgreSQL. */
  Path cluster() {
    return home.resolve("cluster");
  }

  /** Where the lines of the next postmaster go. */
  PostgresOutput output() {
    return profile.outlivesServer() ? new LogFile(home) : new LinesToOurLog();
  }

  /** The port for the next start. */
  int port() {
    return profile.outlivesServer() ? keptPort().free() : profile.ports().choose();
  }

  /** Of a cluster that outlives the server. */
  KeptPort keptPort() {
    return new KeptPort(home.resolve("port"), profile.ports());
  }

  private static Path key(Path dataDir, String name) {
    return dataDir.resolve("keys").resolve(name);
  }
}
