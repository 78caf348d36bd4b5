package dev.slipway.db;

/**
 * Databases for tests: one PostgreSQL for the whole JVM, started by the first test that asks, ended
 * with the JVM. Each test gets databases of its own, copied from a migrated one, and closes them.
 *
 * <p>Threads: all methods from any thread.
 */
public final class TestDatabase {
  private TestDatabase() {}

  /** The schema and no rows. */
  public static Database fresh() {
    return Lazy.CLUSTER.migrated(SchemaMigrations.LOCATION);
  }

  /** The schema of another folder of the class path. */
  static Database fresh(String location) {
    return Lazy.CLUSTER.migrated(location);
  }

  /** Not even a schema. */
  public static Database empty() {
    return Lazy.CLUSTER.empty();
  }

  private static final class Lazy {
    private static final TestCluster CLUSTER = TestCluster.start();
  }
}
