package dev.slipway.db;

import java.nio.file.Path;

/** Clusters of applications for the tests of other packages. */
public final class TestPostgres {
  private TestPostgres() {}

  public static Path folder() {
    return TestFolders.make();
  }

  /** Below that folder, not durable, with programs that all tests share. */
  public static PostgresSettings settings(Path folder) {
    return TestFolders.settings(folder).forApplications();
  }

  public static void delete(Path folder) {
    TestFolders.delete(folder);
  }
}
