package dev.slipway.database.mysql;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DumpProgram;
import dev.slipway.database.DumpProgress;
import dev.slipway.database.DumpRuns;
import dev.slipway.database.Dumps;
import dev.slipway.database.mysql.MysqlPrograms.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Backups and copies by {@code mariadb-dump} and {@code mariadb}, or those of MySQL. A backup is
 * their text, compressed. See docs/decisions/041-dumps.md.
 */
final class MysqlDumps implements Dumps {
  private static final Duration ALL_ANSWERS = Duration.ofSeconds(30);
  private static final Gzip GZIP = new Gzip();

  private final DumpRuns runs;
  private final MysqlPrograms programs;
  private final Optional<MysqlServer> ours;

  /**
   * @param ours whose databases are backed up with the help of its administrator
   */
  MysqlDumps(DumpRuns runs, MysqlPrograms programs, Optional<MysqlServer> ours) {
    this.runs = runs;
    this.programs = programs;
    this.ours = ours;
  }

  @Override
  public long backup(DatabaseLink from, Path file, Consumer<String> progress)
      throws InterruptedException {
    DatabaseFacts source = facts(from, "source");
    Program program = programs.dump(isMaria(source));
    List<DumpProgram> parts =
        ours.flatMap(server -> server.administrator(from.place()))
            .map(administrator ->
                List.of(
                    // First: views may use functions.
                    MysqlCommands.dumpRoutines(program, administrator),
                    MysqlCommands.dumpWithoutRoutines(program, from)))
            .orElseGet(() -> List.of(MysqlCommands.dump(program, from)));
    long bytes = runs.write(parts, GZIP, file, new DumpProgress(progress, "Read", 0, ""));
    progress.accept(
        "The backup has %s; the database takes %s."
            .formatted(DumpProgress.size(bytes), DumpProgress.size(source.sizeBytes())));
    return bytes;
  }

  @Override
  public void restore(Path file, DatabaseLink into, Consumer<String> progress)
      throws InterruptedException {
    DumpProgram fill = fill(into, facts(into, "new"));
    try {
      long bytes = Files.size(file);
      runs.read(file, GZIP, fill, new DumpProgress(progress, "Restored", 0, ""));
      progress.accept("The backup of %s is restored.".formatted(DumpProgress.size(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + file + " failed", e);
    }
  }

  @Override
  public void copy(DatabaseLink from, DatabaseLink into, Consumer<String> progress)
      throws InterruptedException {
    DatabaseFacts source = facts(from, "source");
    DumpProgram dump = MysqlCommands.dump(programs.dump(isMaria(source)), from);
    DumpProgram fill = fill(into, facts(into, "new"));
    runs.pipe(dump, fill, new DumpProgress(progress, "Copied", source.sizeBytes(), ""));
    progress.accept(
        "The database is copied: %s at its source, %s here."
            .formatted(
                DumpProgress.size(source.sizeBytes()),
                DumpProgress.size(facts(into, "new").sizeBytes())));
  }

  private DumpProgram fill(DatabaseLink into, DatabaseFacts target) throws InterruptedException {
    return MysqlCommands.fill(programs.client(isMaria(target)), into);
  }

  private static boolean isMaria(DatabaseFacts facts) {
    return facts.version().startsWith("MariaDB");
  }

  private static DatabaseFacts facts(DatabaseLink link, String role) throws InterruptedException {
    try {
      return MysqlSurvey.facts(link, ALL_ANSWERS);
    } catch (AppFailure e) {
      throw new AppFailure(
          FailureCode.DATABASE_FAILED,
          "The %s database cannot be read: %s".formatted(role, e.failure().message()),
          e);
    }
  }
}
