package dev.slipway.database.postgres;

import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DumpProgram;
import dev.slipway.database.DumpProgress;
import dev.slipway.database.DumpRuns;
import dev.slipway.database.Dumps;
import dev.slipway.database.postgres.PostgresPrograms.Found;
import dev.slipway.database.postgres.PostgresSurveyStore.Survey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Backups and copies by {@code pg_dump} and {@code pg_restore}, never {@code psql}: a dump of
 * somebody else's server may hold commands for that one. See docs/decisions/041-dumps.md.
 */
public final class PostgresDumps implements Dumps {
  private final DumpRuns runs;
  private final PostgresPrograms programs;

  public PostgresDumps(DumpRuns runs, PostgresPrograms programs) {
    this.runs = runs;
    this.programs = programs;
  }

  @Override
  public long backup(DatabaseLink from, Path file, Consumer<String> progress)
      throws InterruptedException {
    Survey source = PostgresSurveyStore.survey(from, "source");
    try (Found found = programs.atLeast(source.major())) {
      DumpProgram dump = PostgresCommands.dump(found, from, PostgresCommands.FOR_KEEPS, List.of());
      long bytes = runs.write(dump, file, new DumpProgress(progress, "Written", 0, ""));
      progress.accept(
          "The backup has %s; the database takes %s."
              .formatted(DumpProgress.size(bytes), DumpProgress.size(source.sizeBytes())));
      return bytes;
    }
  }

  @Override
  public void restore(Path file, DatabaseLink into, Consumer<String> progress)
      throws InterruptedException {
    Survey target = PostgresSurveyStore.survey(into, "new");
    try (Found found = programs.atLeast(target.major())) {
      long bytes = Files.size(file);
      runs.read(
          file,
          PostgresCommands.restore(found, into, target.major()),
          new DumpProgress(progress, "Read", bytes, "Indexes and constraints follow."));
      progress.accept("The backup of %s is restored.".formatted(DumpProgress.size(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + file + " failed", e);
    }
  }

  @Override
  public void copy(DatabaseLink from, DatabaseLink into, Consumer<String> progress)
      throws InterruptedException {
    Survey source = PostgresSurveyStore.survey(from, "source");
    Survey target = PostgresSurveyStore.survey(into, "new");
    Set<String> leftOut = new TreeSet<>(source.extensions());
    leftOut.removeAll(target.possible());
    for (String extension : leftOut) {
      progress.accept(
          "The extension %s is left out: the new database cannot have it.".formatted(extension));
    }
    try (Found found = programs.atLeast(source.major())) {
      List<String> filter = PostgresCommands.without(leftOut, source.extensions(), found.major());
      runs.pipe(
          PostgresCommands.dump(found, from, PostgresCommands.FOR_THE_WAY, filter),
          PostgresCommands.restore(found, into, target.major()),
          new DumpProgress(
              progress, "Copied", source.sizeBytes(), "Indexes and constraints follow."));
    }
    Survey copied = PostgresSurveyStore.survey(into, "new");
    progress.accept(
        "The database is copied: %s at its source, %s here."
            .formatted(
                DumpProgress.size(source.sizeBytes()), DumpProgress.size(copied.sizeBytes())));
  }
}
