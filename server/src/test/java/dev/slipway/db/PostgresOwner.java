package dev.slipway.db;

import java.nio.file.Path;

/** A program that owns a cluster until it is killed: argument 0 is its folder. */
final class PostgresOwner {
  private PostgresOwner() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Path programs = Path.of(arguments[1]);
    PostgresSettings settings =
        new PostgresSettings(
            folder.resolve("postgres"),
            programs,
            folder.resolve("keys").resolve("store-password"),
            true);
    EmbeddedPostgres postgres = EmbeddedPostgres.start(settings);
    System.out.println(postgres.address().jdbcUrl());
    while (System.in.read() >= 0) {
      // until the end of input, which a test sends to end it in peace
    }
    postgres.stop();
  }
}
