package dev.slipway.db;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The PostgreSQL behind {@link TestDatabase}. */
final class TestCluster {
  private record Copy(String name, Database database) {}

  private final StoreAddress server;
  private final Database administration;
  private final Map<String, String> templates = new HashMap<>();
  private final List<Copy> copies = new ArrayList<>();
  private int count;

  private TestCluster(EmbeddedPostgres postgres) {
    this.server = postgres.address();
    this.administration = Database.connect(server);
  }

  /** Ends, with its files, when the JVM does. */
  static TestCluster start() {
    Path folder = TestFolders.make();
    EmbeddedPostgres postgres = EmbeddedPostgres.start(TestFolders.settings(folder));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              postgres.stop();
              TestFolders.delete(folder);
            }));
    return new TestCluster(postgres);
  }

  /** A new database with the schema of that folder of the class path. */
  synchronized Database migrated(String location) {
    return copyOf(templates.computeIfAbsent(location, this::makeTemplate));
  }

  synchronized Database empty() {
    return copyOf("template1");
  }

  private Database copyOf(String template) {
    dropClosed();
    String name = create(template);
    Database database = Database.connect(addressOf(name));
    copies.add(new Copy(name, database));
    return database;
  }

  private String makeTemplate(String location) {
    String name = create("template1");
    try (Database database = Database.connect(addressOf(name))) {
      new SchemaMigrations(location).apply(database.dataSource());
    }
    return name;
  }

  private String create(String template) {
    String name = "test_" + ++count;
    execute("CREATE DATABASE %s TEMPLATE %s".formatted(name, template));
    return name;
  }

  // Eight megabytes each: hundreds of tests must not fill the disk.
  private void dropClosed() {
    for (Copy copy : List.copyOf(copies)) {
      if (copy.database().isClosed()) {
        execute("DROP DATABASE %s WITH (FORCE)".formatted(copy.name()));
        copies.remove(copy);
      }
    }
  }

  private void execute(String sql) {
    var _ = administration.read(handle -> handle.execute(sql));
  }

  private StoreAddress addressOf(String database) {
    return new StoreAddress(
        server.jdbcUrl().replace("/postgres?", "/" + database + "?"),
        server.user(),
        server.password());
  }
}
