package dev.slipway.database.postgres;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DumpProgram;
import dev.slipway.database.DumpRuns;
import dev.slipway.framework.Tool;
import dev.slipway.tool.Provision;
import dev.slipway.tool.Toolbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds {@code pg_dump} and {@code pg_restore}: the host's where they are new enough, else those
 * that the toolbox fetches. Thread-safe.
 */
public final class PostgresPrograms {
  /** What the toolbox has: PostgreSQL's newest. */
  private static final int FETCHED = 18;

  private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)");

  /** Debian's, those of PostgreSQL's own packages for Red Hat, and where others put theirs. */
  private static final Map<Path, String> FAMILIES =
      Map.of(Path.of("/usr/lib/postgresql"), "*", Path.of("/usr"), "pgsql-*");

  private static final List<Path> SINGLE =
      List.of(Path.of("/usr/bin"), Path.of("/usr/local/bin"), Path.of("/usr/local/pgsql/bin"));

  private final DumpRuns runs;
  private final Toolbox toolbox;
  private final List<Path> places;

  public PostgresPrograms(DumpRuns runs, Toolbox toolbox) {
    this(runs, toolbox, List.of());
  }

  /**
   * @param places directories of programs; the usual ones where there is none
   */
  PostgresPrograms(DumpRuns runs, Toolbox toolbox, List<Path> places) {
    this.runs = runs;
    this.toolbox = toolbox;
    this.places = List.copyOf(places);
  }

  /**
   * Both programs of one version; not deleted until this is closed.
   *
   * @param directories that they need
   */
  record Found(int major, Path bin, List<Path> directories, Toolbox.Hold hold)
      implements AutoCloseable {
    String program(String name) {
      return bin.resolve(name).toString();
    }

    @Override
    public void close() {
      hold.close();
    }
  }

  /**
   * The oldest that are new enough: what they write suits older servers best.
   *
   * @param major of a server's version
   * @throws AppFailure {@code DATABASE_FAILED} where there are none and none can be fetched
   */
  Found atLeast(int major) throws InterruptedException {
    List<Found> ofHost = new ArrayList<>();
    for (Path bin : places.isEmpty() ? usual() : places) {
      version(bin).filter(it -> it >= major).ifPresent(it -> ofHost.add(ofHost(it, bin)));
    }
    Optional<Found> oldest = ofHost.stream().min(Comparator.comparingInt(Found::major));
    return oldest.isPresent() ? oldest.get() : fetched(major);
  }

  private Found fetched(int major) throws InterruptedException {
    if (major > FETCHED) {
      throw missing(major, "");
    }
    try {
      Provision provision = toolbox.provide(List.of(new Tool("pg_dump", "" + FETCHED)));
      Path bin = provision.path().getFirst();
      return new Found(FETCHED, bin, provision.directories(), toolbox.hold(provision));
    } catch (AppFailure e) {
      throw missing(major, " " + e.failure().message());
    }
  }

  private static AppFailure missing(int major, String why) {
    return new AppFailure(
        FailureCode.DATABASE_FAILED,
        "This server has no pg_dump and pg_restore of PostgreSQL %d or newer.%s Who runs it can install them, as the package postgresql-client-%d for example."
            .formatted(major, why, major));
  }

  private static Found ofHost(int major, Path bin) {
    return new Found(major, bin, bin.startsWith("/usr") ? List.of() : List.of(bin), () -> {});
  }

  /** Where both are there and say the same. */
  private Optional<Integer> version(Path bin) throws InterruptedException {
    Optional<Integer> dump = version(bin, "pg_dump");
    return dump.isPresent() && dump.equals(version(bin, "pg_restore")) ? dump : Optional.empty();
  }

  private Optional<Integer> version(Path bin, String name) throws InterruptedException {
    Path program = bin.resolve(name);
    if (!Files.isExecutable(program)) {
      return Optional.empty();
    }
    Matcher version =
        VERSION.matcher(
            runs.answer(
                new DumpProgram(
                    name,
                    "does not say its version",
                    List.of(program.toString(), "--version"),
                    Map.of(),
                    bin.startsWith("/usr") ? List.of() : List.of(bin),
                    Map.of(),
                    List.of(),
                    DumpProgram.STRICT)));
    return version.find() ? Optional.of(Integer.valueOf(version.group(1))) : Optional.empty();
  }

  private static List<Path> usual() {
    List<Path> found = new ArrayList<>();
    FAMILIES.forEach((parent, names) -> {
      if (Files.isDirectory(parent)) {
        try (var versions = Files.newDirectoryStream(parent, names)) {
          versions.forEach(version -> found.add(version.resolve("bin")));
        } catch (IOException e) {
          throw new UncheckedIOException("reading " + parent + " failed", e);
        }
      }
    });
    return Stream.concat(found.stream(), SINGLE.stream()).toList();
  }
}
