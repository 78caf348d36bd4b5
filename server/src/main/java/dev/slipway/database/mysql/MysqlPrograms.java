package dev.slipway.database.mysql;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DumpProgram;
import dev.slipway.database.DumpRuns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds the host's programs: of MariaDB for MariaDB, where there are those. Thread-safe. */
final class MysqlPrograms {
  private static final List<Path> PLACES =
      List.of(
          Path.of("/usr/bin"),
          Path.of("/usr/local/bin"),
          Path.of("/usr/local/mysql/bin"),
          Path.of("/usr/local/mariadb/bin"));

  /** As {@code Ver 10.19 Distrib 10.11.19-MariaDB}, or {@code from 11.8.3-MariaDB}. */
  private static final Pattern OF_MARIA = Pattern.compile("(?:Distrib|from) (\\d{1,4}\\.\\d{1,4})");

  /** As {@code Ver 8.0.36 for Linux}; before 8 {@code Ver 14.14 Distrib 5.7.44}. */
  private static final Pattern OF_MYSQL =
      Pattern.compile("(?:Distrib|Ver(?! .*Distrib)) +(\\d{1,4}\\.\\d{1,4})");

  private final DumpRuns runs;
  private final List<Path> places;

  MysqlPrograms(DumpRuns runs) {
    this(runs, PLACES);
  }

  MysqlPrograms(DumpRuns runs, List<Path> places) {
    this.runs = runs;
    this.places = List.copyOf(places);
  }

  /**
   * @param isMaria whether it is MariaDB's, whatever its name
   * @param version its first two numbers
   */
  record Program(String name, Path path, boolean isMaria, String version) {
    private boolean isNewEnough() {
      String[] numbers = version.split("\\.", 2);
      int major = Integer.parseInt(numbers[0]);
      int minor = Integer.parseInt(numbers[1]);
      return isMaria ? major > 10 || (major == 10 && minor >= 5) : major >= 8;
    }
  }

  /** Writes dumps of a server, best one of its own kind. */
  Program dump(boolean ofMaria) throws InterruptedException {
    return one(List.of("mariadb-dump", "mysqldump"), ofMaria);
  }

  /** Fills a database on a server, best one of its own kind. */
  Program client(boolean ofMaria) throws InterruptedException {
    return one(List.of("mariadb", "mysql"), ofMaria);
  }

  private Program one(List<String> names, boolean ofMaria) throws InterruptedException {
    List<Program> all = new ArrayList<>();
    for (String name : names) {
      for (Path place : places) {
        find(name, place.resolve(name)).ifPresent(all::add);
      }
    }
    return all.stream()
        .filter(Program::isNewEnough)
        .min(Comparator.comparing(program -> program.isMaria() != ofMaria))
        .orElseThrow(() -> missing(names, all));
  }

  private Optional<Program> find(String name, Path path) throws InterruptedException {
    if (!Files.isExecutable(path)) {
      return Optional.empty();
    }
    String said = version(name, path);
    boolean isMaria = said.contains("MariaDB");
    Matcher version = (isMaria ? OF_MARIA : OF_MYSQL).matcher(said);
    return version.find()
        ? Optional.of(new Program(name, path, isMaria, version.group(1)))
        : Optional.empty();
  }

  private String version(String name, Path path) throws InterruptedException {
    return runs.answer(
        new DumpProgram(
            name,
            "does not say its version",
            List.of(path.toString(), "--no-defaults", "--version"),
            Map.of(),
            path.startsWith("/usr") ? List.of() : List.of(Objects.requireNonNull(path.getParent())),
            Map.of(),
            List.of(),
            DumpProgram.STRICT));
  }

  private static AppFailure missing(List<String> names, List<Program> tooOld) {
    String there =
        tooOld.stream()
            .map(program -> " Its %s is of %s.".formatted(program.path(), program.version()))
            .collect(Collectors.joining());
    return new AppFailure(
        FailureCode.DATABASE_FAILED,
        "This server has neither %s of MariaDB 10.5, MySQL 8.0 or newer.%s Who runs it can install them, as the package mariadb-client for example."
            .formatted(String.join(" nor ", names), there));
  }
}
