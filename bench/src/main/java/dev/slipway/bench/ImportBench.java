package dev.slipway.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Migrations that import a PostgreSQL database, against {@code pg_dump | psql} from the same source
 * into a database of the same server, round by round. Ends all that it started; the source stays as
 * it is.
 */
public final class ImportBench {
  private static final int ROUNDS = 3;
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  private final Api api;
  private final Path work;
  private final String source;
  private final String password;

  private ImportBench(Api api, Path work, String source, String password) {
    this.api = api;
    this.work = work;
    this.source = source;
    this.password = password;
  }

  /**
   * @param arguments the directory of the program, and the source's address; its password is in
   *     {@code PGPASSWORD}
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    String password = System.getenv("PGPASSWORD");
    if (arguments.length != 2 || password == null) {
      System.err.println("usage: PGPASSWORD=... bench/import postgres://user@host:port/name");
      System.exit(2);
    }
    Path home = Path.of(arguments[0]).toAbsolutePath().normalize();
    Path work = Files.createTempDirectory("slipway-bench");
    SampleApp app = SampleApp.make(home.resolve("examples/node-express"), work);
    try (BenchServer server = new BenchServer(home, work, "data", app)) {
      server.start();
      try (Api api = server.api()) {
        new ImportBench(api, work, arguments[1], password).run();
      }
    } finally {
      Trees.delete(work);
    }
  }

  private void run() throws IOException, InterruptedException {
    Series ours = new Series();
    Series raw = new Series();
    for (int round = 0; round < ROUNDS; round++) {
      ours.add(imported());
      raw.add(piped());
    }
    Results results = new Results(System.out);
    results.head("import of a database", "raw");
    results.ratio("import_from, until it is ready / pg_dump | psql", ours, raw);
  }

  /** From the request to the database that is ready: made, filled, and its source looked at. */
  private Duration imported() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Api.Migration migration =
        migrate(
            Map.of(
                "type",
                "postgres",
                "action",
                "create",
                "import_from",
                source,
                "import_key",
                password));
    String id = database(migration);
    String status = api.database(id).get("status").asText();
    while (status.equals("preparing")) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      status = api.database(id).get("status").asText();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    if (!status.equals("ready")) {
      throw new IllegalStateException("the import failed: " + api.database(id));
    }
    api.migrated(migration.id()); // its build shall not disturb what is measured next
    return took;
  }

  /** The same by hand, into an empty database. */
  private Duration piped() throws IOException, InterruptedException {
    Api.Migration migration = migrate(Map.of("type", "postgres", "action", "create"));
    api.migrated(migration.id());
    JsonNode connection = api.revealed(database(migration)).get("connection");
    ProcessBuilder dump = new ProcessBuilder("pg_dump", "--no-owner", "--no-acl", source);
    dump.environment().put("PGPASSWORD", password);
    ProcessBuilder psql =
        new ProcessBuilder(
            "psql",
            "--quiet",
            "--no-psqlrc",
            "--host=" + connection.get("host").asText(),
            "--port=" + connection.get("port").asText(),
            "--username=" + connection.get("user").asText(),
            connection.get("database").asText());
    psql.environment().put("PGPASSWORD", connection.get("password").asText());
    psql.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    for (ProcessBuilder program : List.of(dump, psql)) {
      program.directory(work.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
    }
    long begin = System.nanoTime();
    for (Process program : ProcessBuilder.startPipeline(List.of(dump, psql))) {
      if (program.waitFor() != 0) {
        throw new IllegalStateException("pg_dump | psql failed");
      }
    }
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private Api.Migration migrate(Map<String, String> database)
      throws IOException, InterruptedException {
    return api.migrate(SampleApp.REPOSITORY, Map.of(), database);
  }

  private String database(Api.Migration migration) throws IOException, InterruptedException {
    return api.migration(migration.id()).get("database").get("project_id").asText();
  }
}
