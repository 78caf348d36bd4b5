package dev.slipway.framework.node;

import dev.slipway.core.FailureCode;
import dev.slipway.core.Words;
import dev.slipway.framework.BuildPlan.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The steps that build an application, those before it that build packages of its workspace.
 *
 * @param line what the user wrote in place of it
 * @param script the script of package.json, where there is one
 * @param otherwise a program of a package, and its arguments, where there is none; may be empty
 * @param extra variables for the steps
 */
record NodeBuild(
    NodeApp app,
    Optional<String> line,
    Optional<String> script,
    List<String> otherwise,
    Map<String, String> extra) {
  static final String NAME = "build";

  // A version 1 has no such flag, and lets all variables through anyway.
  private static final Pattern FIRST_TURBO = Pattern.compile("[^0-9]*1(\\..*)?");

  /** The script that builds: Heroku's own comes first, as it is written for a host. */
  static Optional<String> script(PackageJson manifest) {
    return manifest.scriptsOf(List.of("heroku-postbuild", NAME)).stream().findFirst();
  }

  boolean isEmpty() {
    return line.isEmpty() && script.isEmpty() && otherwise.isEmpty();
  }

  /** The line that runs in the end, as far as it can be read. */
  String text() {
    return line.or(() -> script.flatMap(app.manifest()::script))
        .orElseGet(() -> String.join(" ", otherwise));
  }

  List<Step> steps() {
    if (line.isPresent()) {
      return new UserCommand(app, NAME, line.get()).steps(FailureCode.BUILD_FAILED, env());
    }
    List<Step> steps = new ArrayList<>();
    if (isForTurbo()) {
      steps.add(step(NAME, app.root(), app.manager().exec(app.root(), turbo())));
      return steps;
    }
    Set<String> packages = new LinkedHashSet<>();
    collect(app.manifest(), new Members(app).byName(), new LinkedHashSet<>(), packages);
    packages.remove(app.place().directory());
    for (String directory : packages) {
      Place place = app.place().at(directory);
      steps.add(step(StepNames.of(NAME, directory), place, app.manager().run(place, NAME)));
    }
    if (script.isPresent()) {
      steps.add(step(NAME, app.place(), app.run(script.get())));
    } else if (!otherwise.isEmpty()) {
      steps.add(step(NAME, app.place(), app.exec(otherwise)));
    }
    return steps;
  }

  private boolean isForTurbo() {
    return app.isMember()
        && script.equals(Optional.of(NAME))
        && app.root().hasFile("turbo.json")
        && app.rootManifest().has("turbo")
        && app.rootManifest().text("packageManager").isPresent() // turbo 2 insists on it
        && app.manifest().text("name").filter(name -> !name.startsWith("-")).isPresent();
  }

  private List<String> turbo() {
    List<String> words =
        new ArrayList<>(
            List.of(
                "turbo",
                "run",
                NAME,
                "--filter=" + Words.literal(app.manifest().text("name").orElseThrow())));
    String version = app.rootManifest().packages().getOrDefault("turbo", "");
    if (!FIRST_TURBO.matcher(version).matches()) {
      words.add("--env-mode=loose"); // or the project's variables would not reach the build
    }
    return words;
  }

  /** The packages of the workspace that one needs, those first that others need. */
  private void collect(
      PackageJson manifest, Map<String, String> members, Set<String> seen, Set<String> packages) {
    for (String name : manifest.packages().keySet()) {
      Optional<String> directory = Optional.ofNullable(members.get(name));
      if (directory.isPresent() && seen.add(name)) {
        PackageJson other = app.place().at(directory.get()).manifest().orElseThrow();
        collect(other, members, seen, packages);
        other.script(NAME).ifPresent(build -> packages.add(directory.get()));
      }
    }
  }

  private Map<String, String> env() {
    Map<String, String> env = new HashMap<>(app.stepEnv());
    env.putAll(extra);
    return env;
  }

  private Step step(String name, Place place, List<String> argv) {
    return new Step(
        name, place.directory(), argv, env(), FailureCode.BUILD_FAILED, Optional.empty());
  }
}
