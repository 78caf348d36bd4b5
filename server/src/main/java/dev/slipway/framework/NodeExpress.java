package dev.slipway.framework;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan.Fallback;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.BuildPlan.Install;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Servers written with Express, built by npm. */
public final class NodeExpress implements Framework {
  public static final String NAME = "node-express";

  private static final List<String> NPM_LOCKFILES =
      List.of("package-lock.json", "npm-shrinkwrap.json");
  private static final List<String> FOREIGN_LOCKFILES =
      List.of("yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb");
  private static final List<String> INPUTS =
      List.of("package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc");
  private static final List<String> VERSION_FILES = List.of(".nvmrc", ".node-version");

  /** Scripts of the application that npm runs while it installs, often with development tools. */
  private static final List<String> INSTALL_SCRIPTS =
      List.of("preinstall", "install", "postinstall", "prepare");

  private static final Map<String, String> NPM_ENV =
      Map.of(
          "NPM_CONFIG_AUDIT", "false",
          "NPM_CONFIG_FUND", "false",
          "NPM_CONFIG_UPDATE_NOTIFIER", "false",
          "NPM_CONFIG_PROGRESS", "false");

  private final Optional<String> hostNodeVersion;

  /**
   * @param hostNodeVersion of the Node that programs get here, for example {@code v20.11.1}
   */
  public NodeExpress(Optional<String> hostNodeVersion) {
    this.hostNodeVersion = hostNodeVersion;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean detect(Checkout checkout) {
    return PackageJson.in(checkout).filter(NodeExpress::isExpress).isPresent();
  }

  static boolean isExpress(PackageJson manifest) {
    return manifest.dependsOn("express") && !manifest.dependsOn("next");
  }

  @Override
  public BuildPlan plan(Checkout checkout, Overrides overrides) {
    PackageJson manifest =
        PackageJson.in(checkout)
            .orElseThrow(() ->
                new AppFailure(
                    FailureCode.FRAMEWORK_NOT_DETECTED,
                    "A node-express application needs a valid package.json at its root, and there is none."));
    NodeStart start = NodeStart.of(checkout, manifest);
    List<Finding> findings = new ArrayList<>();
    versionFinding(checkout, manifest).ifPresent(findings::add);
    findings.addAll(start.findings());
    if (start.needsDevelopment()) {
      findings.add(
          new Finding(
              true,
              "The start script runs something of the devDependencies, so all of them are kept. Move it to the dependencies."));
    }
    boolean tools = needsTools(manifest, start);
    Step install = install(checkout, tools ? "--include=dev" : "--omit=dev", findings);
    return new BuildPlan(
        NAME,
        "",
        List.of(),
        Optional.of(new Install(List.of(install), INPUTS, again(manifest))),
        steps(manifest, start),
        Serving.Program.of(start.argv(), startEnv(start.env())),
        List.of(),
        findings);
  }

  private static boolean needsTools(PackageJson manifest, NodeStart start) {
    return manifest.script("build").isPresent()
        || start.needsDevelopment()
        || INSTALL_SCRIPTS.stream().anyMatch(name -> manifest.script(name).isPresent());
  }

  private static List<Step> again(PackageJson manifest) {
    return INSTALL_SCRIPTS.stream()
        .filter(name -> manifest.script(name).isPresent())
        .map(name -> step(name, FailureCode.INSTALL_FAILED, "npm", "run", name))
        .toList();
  }

  private static List<Step> steps(PackageJson manifest, NodeStart start) {
    List<Step> steps = new ArrayList<>();
    boolean build = manifest.script("build").isPresent();
    if (build) {
      steps.add(step("build", FailureCode.BUILD_FAILED, "npm", "run", "build"));
    }
    if (needsTools(manifest, start) && !start.needsDevelopment()) {
      steps.add(step("prune", FailureCode.BUILD_FAILED, "npm", "prune", "--omit=dev"));
    }
    return steps;
  }

  private static Step install(Checkout checkout, String dev, List<Finding> findings) {
    Step install = step("install", FailureCode.INSTALL_FAILED, "npm", "install", dev);
    Optional<String> lockfile = firstOf(NPM_LOCKFILES, checkout);
    if (lockfile.isEmpty()) {
      findings.add(new Finding(true, noLockfile(firstOf(FOREIGN_LOCKFILES, checkout))));
      return install;
    }
    Fallback fallback =
        new Fallback(
            "EUSAGE", // npm's word for a lockfile that does not match package.json
            install.argv(),
            "%s does not match package.json, so npm install is used. Run npm install and commit the lockfile."
                .formatted(lockfile.get()));
    return new Step(
        "install",
        "",
        List.of("npm", "ci", dev),
        NPM_ENV,
        FailureCode.INSTALL_FAILED,
        Optional.of(fallback));
  }

  private static String noLockfile(Optional<String> foreign) {
    return foreign
        .map(
            "There is a %s, but only npm is used here yet, so versions may differ. Add a package-lock.json."
                ::formatted)
        .orElse(
            "There is no package-lock.json, so every build may get other versions. Run npm install and commit it.");
  }

  private Optional<Finding> versionFinding(Checkout checkout, PackageJson manifest) {
    if (hostNodeVersion.isEmpty()) {
      return Optional.empty();
    }
    String host = hostNodeVersion.get();
    Stream<String> wanted =
        Stream.concat(
            manifest.nodeRange().stream(),
            VERSION_FILES.stream().flatMap(file -> checkout.text(file).stream()));
    return wanted
        .map(String::strip)
        .filter(range -> !NodeRange.allows(range, host))
        .findFirst()
        .map(range ->
            new Finding(
                true,
                "The application asks for Node %s; it gets %s, which is what this server has."
                    .formatted(range, host)));
  }

  private static Map<String, String> startEnv(Map<String, String> scriptEnv) {
    Map<String, String> env = new LinkedHashMap<>(Map.of("NODE_ENV", "production"));
    env.putAll(scriptEnv);
    return env;
  }

  private static Step step(String name, FailureCode onFailure, String... argv) {
    return new Step(name, "", List.of(argv), NPM_ENV, onFailure, Optional.empty());
  }

  private static Optional<String> firstOf(List<String> files, Checkout checkout) {
    return files.stream().filter(checkout::hasFile).findFirst();
  }
}
