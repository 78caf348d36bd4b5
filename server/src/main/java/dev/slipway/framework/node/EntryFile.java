package dev.slipway.framework.node;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.framework.BuildPlan.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The file that starts a server where nothing says which it is. */
record EntryFile(String file, List<Finding> findings) {
  private static final List<String> USUAL =
      List.of(
          "server.js",
          "app.js",
          "index.js",
          "main.js",
          "server.mjs",
          "app.mjs",
          "index.mjs",
          "bin/www",
          "src/server.js",
          "src/app.js",
          "src/index.js",
          "src/main.js");
  private static final List<String> TYPED =
      List.of(
          "server.ts",
          "app.ts",
          "index.ts",
          "main.ts",
          "src/server.ts",
          "src/app.ts",
          "src/index.ts",
          "src/main.ts");

  /**
   * @param built whether a step is to come that may make the file
   */
  static EntryFile of(NodeApp app, boolean built) {
    List<Finding> findings = new ArrayList<>();
    Optional<String> main =
        app.manifest()
            .text("main")
            .flatMap(app.place()::path)
            .map(path -> app.place().relative(path));
    Optional<String> entry =
        main.flatMap(file ->
            Stream.of(file, file + ".js", file + "/index.js")
                .filter(app.place()::hasFile)
                .findFirst());
    if (entry.isEmpty() && main.isPresent() && built) {
      entry = main;
    }
    if (entry.isEmpty()) {
      main.ifPresent(file ->
          findings.add(
              new Finding(
                  true, "package.json names %s as main, which does not exist.".formatted(file))));
      entry = usual(app.place());
    }
    String file = entry.orElseThrow(() -> missing(app, main));
    findings.add(
        new Finding(
            false,
            "There is no start script; node %s is run. Add one to be sure.".formatted(file)));
    return new EntryFile(file, findings);
  }

  /** Of several the first that listens. */
  private static Optional<String> usual(Place place) {
    List<String> there = USUAL.stream().filter(place::hasFile).toList();
    return there.stream()
        .filter(file -> listens(place, file))
        .findFirst()
        .or(() -> there.stream().findFirst());
  }

  static boolean listens(Place place, String file) {
    return place.text(file).filter(text -> text.contains(".listen(")).isPresent();
  }

  private static AppFailure missing(NodeApp app, Optional<String> main) {
    Optional<String> typed = app.place().firstOf(TYPED);
    if (typed.isPresent()) {
      return new AppFailure(
          FailureCode.START_COMMAND_MISSING,
          "How to start the application is not known: %s is TypeScript, and package.json has no start script. Add \"build\": \"tsc\" and \"start\": \"node dist/%s\" to its scripts, or \"start\": \"tsx %s\" with tsx among the dependencies."
              .formatted(
                  typed.get(),
                  typed.get().replaceFirst("^src/", "").replaceFirst("\\.ts$", ".js"),
                  typed.get()));
    }
    return new AppFailure(
        FailureCode.START_COMMAND_MISSING,
        "How to start the application is not known: package.json has no start script%s, and there is no %s. Add \"start\" to the scripts of package.json, for example \"node server.js\", or set start_command."
            .formatted(
                main.map(file -> ", its main " + file + " does not exist").orElse(" and no main"),
                String.join(", ", USUAL.subList(0, 3))));
  }
}
