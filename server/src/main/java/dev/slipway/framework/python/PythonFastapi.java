package dev.slipway.framework.python;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.BuildPlan.Install;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.framework.CommandLine;
import dev.slipway.framework.Framework;
import dev.slipway.framework.Overrides;
import dev.slipway.framework.Tool;
import dev.slipway.source.Checkout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Applications written with FastAPI, installed by uv whatever they were locked with. */
public final class PythonFastapi implements Framework {
  public static final String NAME = "python-fastapi";

  /** What the build of a page beside the application is run with. */
  private static final Set<String> NODE = Set.of("node", "npm", "npx");

  private static final Set<String> SERVERS = Set.of("uvicorn", "gunicorn", "hypercorn", "granian");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean detect(Checkout checkout) {
    return manifest(checkout, "")
            .filter(it -> it.names("fastapi") || leadsOut(checkout, it))
            .isPresent()
        && PythonFiles.importing(checkout, "").isPresent();
  }

  /**
   * Of a directory of a repository it is not seen what its requirements include from beside it;
   * that is read for the plan. Its modules tell as much until then.
   */
  private static boolean leadsOut(Checkout checkout, Manifest manifest) {
    return RequirementsFile.in(checkout, manifest.file())
        .filter(RequirementsFile::leadsOut)
        .isPresent();
  }

  /** The most exact one that asks for FastAPI, else the most exact one. */
  private static Optional<Manifest> manifest(Checkout checkout, String directory) {
    List<Manifest> all = new Manifests(checkout, directory).all();
    return all.stream()
        .filter(it -> it.names("fastapi"))
        .findFirst()
        .or(() -> all.stream().findFirst());
  }

  @Override
  public BuildPlan plan(Checkout checkout, Overrides overrides) {
    List<Finding> findings = new ArrayList<>();
    String directory =
        overrides.rootDirectory().map(it -> Path.of(it).normalize().toString()).orElse("");
    Optional<Manifest> asked =
        overrides
            .installCommand()
            .flatMap(line -> PythonInstall.manifest(line, checkout, directory));
    Optional<Manifest> manifest = asked.or(() -> manifest(checkout, directory));
    boolean own = overrides.installCommand().isPresent() && asked.isEmpty();
    if (manifest.isEmpty() && !own) {
      throw new AppFailure(FailureCode.FRAMEWORK_NOT_DETECTED, noManifest(directory));
    }
    PythonStart start = start(checkout, directory, overrides);
    Install install =
        own
            ? PythonInstall.of(overrides.installCommand().orElseThrow(), directory)
            : install(checkout, directory, manifest.orElseThrow(), start, findings);
    findings.addAll(start.findings());
    List<Step> steps = build(overrides, directory);
    String environment = own ? directory : manifest.map(Manifest::environment).orElse(directory);
    return new BuildPlan(
        NAME,
        directory,
        tools(checkout, directory, steps),
        Optional.of(install),
        steps,
        new Serving.Program(
            start.directory(),
            start.commands(),
            start.programEnv(),
            List.of(Paths.join(environment, ".venv/bin")),
            overrides.healthCheckPath()),
        List.of(),
        findings);
  }

  private static String noManifest(String directory) {
    return "A python-fastapi application needs a manifest that asks for fastapi %s: uv.lock, poetry.lock, Pipfile, requirements.txt, pyproject.toml or setup.py."
        .formatted(directory.isEmpty() ? "at its root" : "in " + directory);
  }

  private static PythonStart start(Checkout checkout, String directory, Overrides overrides) {
    return overrides
        .startCommand()
        .map(line -> PythonStart.of(line, directory))
        .orElseGet(() -> {
          Optional<String> entrypoint =
              Pyproject.in(checkout, directory).flatMap(Pyproject::entrypoint);
          return PythonStart.of(PythonApps.in(checkout, directory, entrypoint), directory);
        });
  }

  private static Install install(
      Checkout checkout,
      String directory,
      Manifest chosen,
      PythonStart start,
      List<Finding> findings) {
    findings.addAll(chosen.findings());
    List<String> missing =
        start.servers().stream()
            .filter(SERVERS::contains)
            .filter(it -> !(it.equals("uvicorn") ? chosen.uvicorn() : chosen.names(it)))
            .distinct()
            .toList();
    if (!missing.isEmpty()) {
      findings.add(
          new Finding(
              true,
              "%s is not among the dependencies of %s, so the newest is installed beside them. Add it to be sure."
                  .formatted(String.join(", ", missing), chosen.file())));
    }
    return PythonInstall.of(chosen, directory, missing, inputs(checkout, directory, chosen));
  }

  /** Files that there are, and patterns. */
  private static List<String> inputs(Checkout checkout, String directory, Manifest manifest) {
    List<String> versions = new PythonVersion(checkout, directory).inputs();
    return Stream.concat(manifest.inputs().stream(), versions.stream())
        .distinct()
        .filter(path -> path.contains("*") || checkout.hasFile(path))
        .toList();
  }

  private static List<Tool> tools(Checkout checkout, String directory, List<Step> steps) {
    List<Tool> tools = new ArrayList<>();
    tools.add(new PythonVersion(checkout, directory).tool());
    tools.add(new Tool("uv", ""));
    if (steps.stream().flatMap(step -> step.argv().stream()).anyMatch(NODE::contains)) {
      tools.add(new Tool("node", ""));
      tools.add(new Tool("npm", ""));
    }
    return tools;
  }

  private static List<Step> build(Overrides overrides, String directory) {
    if (overrides.buildCommand().isEmpty()) {
      return List.of();
    }
    String line = overrides.buildCommand().get();
    CommandLine parsed =
        CommandLine.parse(line)
            .orElseThrow(() ->
                new AppFailure(
                    FailureCode.BUILD_FAILED,
                    "The build command \"%s\" cannot be run. %s"
                        .formatted(line, CommandLine.fault(line).orElse(""))));
    List<Step> steps = new ArrayList<>();
    for (List<String> words : parsed.words()) {
      List<String> argv = new ArrayList<>(PythonInstall.withUv(ServerCommand.of(words).words()));
      if (!argv.getFirst().equals("uv")) {
        // Programs of the environment are found first.
        argv.addAll(0, List.of("uv", "run", "--no-project"));
      }
      steps.add(
          new Step(
              steps.isEmpty() ? "build" : "build-" + (steps.size() + 1),
              Path.of(directory, parsed.last().directory()).normalize().toString(),
              argv,
              parsed.env(),
              FailureCode.BUILD_FAILED,
              Optional.empty()));
    }
    return steps;
  }
}
