package dev.slipway.framework.python;

import dev.slipway.framework.BuildPlan.Fallback;
import dev.slipway.framework.BuildPlan.Finding;
import java.util.List;
import java.util.Optional;

/**
 * The file that says what an application needs, and how that is installed.
 *
 * @param file from the repository's root
 * @param packages names of what it asks for; of a lockfile all that it holds
 * @param uvicorn whether what starts the application comes with it
 * @param environment the directory that {@code .venv} is made in
 * @param commands run in the application's directory, the environment being there already
 * @param inputs what decides the outcome, as paths or globs from the root
 */
record Manifest(
    String file,
    List<String> packages,
    boolean uvicorn,
    String environment,
    List<Command> commands,
    List<String> inputs,
    List<Finding> findings) {
  Manifest {
    packages = List.copyOf(packages);
    commands = List.copyOf(commands);
    inputs = List.copyOf(inputs);
    findings = List.copyOf(findings);
  }

  /** A program that installs, and what is run if it fails in a known way. */
  record Command(List<String> argv, Optional<Fallback> fallback) {
    Command {
      argv = List.copyOf(argv);
    }

    static Command of(List<String> argv) {
      return new Command(argv, Optional.empty());
    }
  }

  boolean names(String name) {
    return packages.contains(name);
  }

  static List<String> names(List<Requirement> requirements) {
    return requirements.stream().map(Requirement::name).toList();
  }

  static boolean uvicorn(List<Requirement> requirements) {
    return requirements.stream().anyMatch(Requirement::bringsUvicorn);
  }
}
