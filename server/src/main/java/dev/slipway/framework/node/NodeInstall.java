package dev.slipway.framework.node;

import dev.slipway.core.FailureCode;
import dev.slipway.framework.BuildPlan.Fallback;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.BuildPlan.Install;
import dev.slipway.framework.BuildPlan.Step;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How the packages of an application are installed.
 *
 * @param development whether development packages are needed too
 */
record NodeInstall(NodeApp app, boolean development) {
  /** Settings of package managers, beside the root's package.json. */
  private static final List<String> SETTINGS =
      List.of(
          ".npmrc",
          ".yarnrc",
          ".yarnrc.yml",
          Workspace.PNPM_FILE,
          ".pnpmfile.cjs",
          ".pnpmfile.mjs",
          "bunfig.toml");

  /** Directories of what changes installed packages. */
  private static final List<String> CHANGES =
      List.of("patches", ".yarn/patches", ".yarn/plugins", ".yarn/cache");

  /**
   * Scripts that an application's own install ends with; what preinstall asks has been answered.
   */
  private static final List<String> OWN_SCRIPTS = List.of("install", "postinstall", "prepare");

  /** npm's word for packages whose peers do not fit together. */
  private static final String PEERS = "ERESOLVE";

  private static final String LEGACY_PEERS = "--legacy-peer-deps";

  Install install() {
    return new Install(List.of(step()), inputs(), again());
  }

  /** What the user should know of it. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>(manager().findings());
    if (manager().lockfile().isEmpty()) {
      findings.add(
          new Finding(
              true,
              "There is no lockfile, so every build may get other versions. Run %s install and commit %s."
                  .formatted(manager().kind().program(), manager().kind().lockfiles().getFirst())));
    }
    return findings;
  }

  private Step step() {
    boolean frozen = manager().lockfile().isPresent();
    return new Step(
        "install",
        app.root().directory(),
        frozen ? frozen() : plain(),
        app.installEnv(),
        FailureCode.INSTALL_FAILED,
        frozen ? Optional.of(outOfStep()) : unsettledPeers());
  }

  private List<String> frozen() {
    return withFlag(manager().kind().frozen().words());
  }

  private List<String> plain() {
    return withFlag(manager().kind().plain().words());
  }

  private List<String> withFlag(List<String> words) {
    Manager.Plain plain = manager().kind().plain();
    String flag = development ? plain.all() : plain.production();
    List<String> all = new ArrayList<>(words);
    Stream.of(flag).filter(text -> !text.isEmpty()).forEach(all::add);
    return manager().command(app.root(), all);
  }

  /** npm looks at what packages ask of each other before it looks at the rest of the lockfile. */
  private Fallback outOfStep() {
    String program = manager().kind().program();
    Fallback plain =
        new Fallback(
            manager().kind().frozen().sign(),
            plain(),
            "%s does not match package.json, so %s install is used. Run %s install and commit the lockfile."
                .formatted(manager().lockfile().orElseThrow(), program, program),
            unsettledPeers());
    return isNpm()
        ? new Fallback(PEERS, with(frozen(), LEGACY_PEERS), warning("npm ci"), Optional.of(plain))
        : plain;
  }

  private Optional<Fallback> unsettledPeers() {
    return isNpm()
        ? Optional.of(new Fallback(PEERS, with(plain(), LEGACY_PEERS), warning("npm install")))
        : Optional.empty();
  }

  private static String warning(String command) {
    return "Packages ask for versions of each other that do not fit together, so %s %s is used. Change the versions that npm names above, or put legacy-peer-deps=true into .npmrc."
        .formatted(command, LEGACY_PEERS);
  }

  private boolean isNpm() {
    return manager().kind().equals(Manager.NPM);
  }

  private static List<String> with(List<String> argv, String flag) {
    return Stream.concat(argv.stream(), Stream.of(flag)).toList();
  }

  private List<String> inputs() {
    Set<String> inputs = new LinkedHashSet<>();
    add(app.root(), PackageJson.FILE, inputs);
    manager().lockfile().ifPresent(file -> add(app.root(), file, inputs));
    SETTINGS.forEach(file -> add(app.root(), file, inputs));
    manager().checkedIn().ifPresent(inputs::add);
    app.members().forEach(member -> add(app.place().at(member), PackageJson.FILE, inputs));
    CHANGES.stream()
        .filter(app.root()::hasDirectory)
        .flatMap(directory -> app.root().path(directory + "/**").stream())
        .forEach(inputs::add);
    inputs.addAll(localPackages());
    return List.copyOf(inputs);
  }

  private static void add(Place place, String file, Set<String> inputs) {
    if (place.hasFile(file)) {
      place.path(file).ifPresent(inputs::add);
    }
  }

  /** Packages in files of the repository, which some managers copy. */
  private List<String> localPackages() {
    return Stream.concat(local(app.root(), app.rootManifest()), local(app.place(), app.manifest()))
        .distinct()
        .toList();
  }

  private static Stream<String> local(Place place, PackageJson manifest) {
    return manifest.packages().values().stream()
        .filter(version -> version.startsWith("file:") || version.startsWith("link:"))
        .map(version -> version.substring("file:".length()))
        .flatMap(path -> place.path(path).stream())
        .map(path -> path.matches(".*\\.(tgz|tar\\.gz|tar)") ? path : path + "/**");
  }

  private List<Step> again() {
    return Stream.concat(Stream.of(app.root().directory()), app.members().stream())
        .flatMap(this::ownScripts)
        .toList();
  }

  private Stream<Step> ownScripts(String directory) {
    Place place = app.root().at(directory);
    return place.manifest().map(it -> it.scriptsOf(OWN_SCRIPTS)).orElse(List.of()).stream()
        .map(script ->
            new Step(
                StepNames.of("own-" + script, app.root().relative(directory)),
                directory,
                manager().run(place, script),
                app.installEnv(),
                FailureCode.INSTALL_FAILED,
                Optional.empty()));
  }

  private PackageManager manager() {
    return app.manager();
  }
}
