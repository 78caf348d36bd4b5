package dev.slipway.framework.python;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.framework.BuildPlan.Fallback;
import dev.slipway.framework.BuildPlan.Install;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.framework.CommandLine;
import dev.slipway.framework.python.Manifest.Command;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The steps that make the environment of an application. */
final class PythonInstall {
  /**
   * The Python that was chosen for the build, whatever a file of the application says to uv; and
   * compiled once instead of at every start.
   */
  static final Map<String, String> ENV =
      Map.of(
          "UV_PYTHON", "python3",
          "UV_PYTHON_DOWNLOADS", "never",
          "UV_COMPILE_BYTECODE", "1",
          // Not by time: releases share a file, and with it the time of one of its installs.
          "PYC_INVALIDATION_MODE", "CHECKED_HASH",
          "UV_NO_PROGRESS", "1",
          // A version taken from git's tags cannot be had: there is no history here.
          "SETUPTOOLS_SCM_PRETEND_VERSION", "0.0.0");

  private PythonInstall() {}

  /**
   * @param further packages that are installed beside what the manifest asks for
   * @param inputs as {@link Install} has them
   */
  static Install of(
      Manifest manifest, String directory, List<String> further, List<String> inputs) {
    List<Step> steps = new ArrayList<>();
    steps.add(environment(manifest.environment(), false));
    for (Command command : manifest.commands()) {
      String name = steps.size() == 1 ? "install" : "install-" + steps.size();
      steps.add(step(name, directory, command.argv(), command.fallback()));
    }
    if (!further.isEmpty()) {
      List<String> argv = new ArrayList<>(Manifests.PIP_INSTALL);
      argv.set(4, Paths.join(Paths.from(directory, manifest.environment()), ".venv/bin/python"));
      argv.addAll(further);
      steps.add(step("install-server", directory, argv, Optional.empty()));
    }
    return new Install(steps, inputs, List.of());
  }

  /** What an install command asks for, where it is the one that is usual with pip. */
  static Optional<Manifest> manifest(String line, Checkout checkout, String directory) {
    return CommandLine.parse(line)
        .filter(parsed -> parsed.commands().size() == 1 && parsed.last().directory().isEmpty())
        .flatMap(parsed -> requirements(parsed.last().words(), checkout, directory))
        .map(file -> Manifests.of(directory, file));
  }

  /** Another install command of the user's; its pip is uv's, which is in no environment. */
  static Install of(String line, String directory) {
    CommandLine parsed =
        CommandLine.parse(line)
            .orElseThrow(() ->
                new AppFailure(
                    FailureCode.INSTALL_FAILED,
                    "The install command \"%s\" cannot be run. %s"
                        .formatted(line, CommandLine.fault(line).orElse(""))));
    List<Step> steps = new ArrayList<>();
    steps.add(environment(directory, true));
    for (List<String> words : parsed.words()) {
      String name = steps.size() == 1 ? "install" : "install-" + steps.size();
      steps.add(step(name, directory, withUv(words), Optional.empty()));
    }
    // What it reads is not known: any change of the repository counts.
    return new Install(steps, List.of("**"), List.of());
  }

  static Step step(String name, String directory, List<String> argv, Optional<Fallback> fallback) {
    return new Step(name, directory, argv, ENV, FailureCode.INSTALL_FAILED, fallback);
  }

  private static Step environment(String directory, boolean pip) {
    List<String> argv = new ArrayList<>(List.of("uv", "venv", "--clear", ".venv"));
    if (pip) {
      argv.add(3, "--seed");
    }
    return step("environment", directory, argv, Optional.empty());
  }

  /** The same with uv in place of pip. */
  static List<String> withUv(List<String> words) {
    List<String> rest = withoutPip(words);
    if (rest.isEmpty()) {
      return words;
    }
    List<String> argv = new ArrayList<>(List.of("uv", "pip"));
    argv.addAll(rest);
    if (rest.getFirst().equals("install")) {
      argv.addAll(3, List.of("--python", ".venv/bin/python"));
      argv.removeIf(word -> word.equals("--no-cache-dir") || word.equals("--user"));
    }
    return argv;
  }

  /** What pip is told, from {@code install} on; empty where it is not pip. */
  private static List<String> withoutPip(List<String> words) {
    if (words.getFirst().matches("pip3?")) {
      return words.subList(1, words.size());
    }
    boolean module =
        words.size() > 3
            && (words.getFirst().matches("python3?") && words.get(1).equals("-m"))
            && words.get(2).equals("pip");
    boolean uv = words.size() > 2 && words.getFirst().equals("uv") && words.get(1).equals("pip");
    return module
        ? words.subList(3, words.size())
        : uv ? words.subList(2, words.size()) : List.of();
  }

  /** The file, where that is all that pip is to install. */
  private static Optional<RequirementsFile> requirements(
      List<String> words, Checkout checkout, String directory) {
    List<String> rest =
        withoutPip(words).stream().filter(it -> !it.equals("--no-cache-dir")).toList();
    return rest.size() == 3 && rest.get(0).equals("install") && rest.get(1).equals("-r")
        ? RequirementsFile.in(checkout, Paths.join(directory, rest.get(2)))
        : Optional.empty();
  }
}
