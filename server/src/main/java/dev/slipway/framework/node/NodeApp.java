package dev.slipway.framework.node;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.framework.Overrides;
import dev.slipway.framework.Tool;
import dev.slipway.source.Checkout;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An application with a package.json, and what surrounds it.
 *
 * @param root where packages are installed: that of its workspace, or its own directory
 * @param members the directories of the workspace's packages; empty where there is none
 */
record NodeApp(
    Place place,
    PackageJson manifest,
    Place root,
    PackageJson rootManifest,
    List<String> members,
    PackageManager manager) {
  private static final String NPM = "npm";

  /** Those that a script may call although another installs, beside npm. */
  private static final List<String> MANAGERS = List.of("pnpm", "yarn", "bun");

  static NodeApp of(String framework, Checkout checkout, Overrides overrides) {
    Place place = new Place(checkout, overrides.rootDirectory().orElse(""));
    PackageJson manifest =
        place
            .manifest()
            .orElseThrow(() ->
                new AppFailure(
                    FailureCode.FRAMEWORK_NOT_DETECTED,
                    "A %s application needs a valid package.json in %s, and there is none."
                        .formatted(framework, named(place.directory()))));
    Optional<Workspace> workspace = Workspace.around(place);
    Place root = workspace.map(Workspace::root).orElse(place);
    PackageJson rootManifest = root.manifest().orElse(manifest);
    return new NodeApp(
        place,
        manifest,
        root,
        rootManifest,
        workspace.map(Workspace::members).orElse(List.of()),
        PackageManagers.of(root, rootManifest));
  }

  /** A directory of the checkout, for people. */
  static String named(String directory) {
    return directory.isEmpty() ? "its root directory" : directory;
  }

  /** Whether it is one of several packages that are installed together. */
  boolean isMember() {
    return !place.directory().equals(root.directory());
  }

  /** Whether a package is there when it is built, its own or one of the workspace's root. */
  boolean has(String name) {
    return manifest.has(name) || rootManifest.has(name);
  }

  Optional<NodeVersions> nodeVersion() {
    return NodeVersions.of(place, root);
  }

  /** Node, the package manager, and others that scripts call by name. */
  List<Tool> tools() {
    Set<Tool> tools = new LinkedHashSet<>();
    tools.add(nodeVersion().map(NodeVersions::tool).orElse(new Tool("node", "")));
    manager.tool().ifPresent(tools::add);
    MANAGERS.stream()
        .filter(name -> !name.equals(manager.kind().program()) && isCalled(name))
        .forEach(name -> tools.add(new Tool(name, name.equals("yarn") ? "^1" : "")));
    if (tools.stream().noneMatch(tool -> tool.name().equals(NPM))) {
      tools.add(new Tool(NPM, "")); // npx and "npm run" stand in scripts everywhere
    }
    return List.copyOf(tools);
  }

  private boolean isCalled(String program) {
    Pattern word = Pattern.compile("(?<![\\w/@.-])%s(?![\\w/@.-])".formatted(program));
    return manifest.at("scripts").properties().stream()
        .filter(script -> script.getKey().matches("(pre|post)?(build|start|install).*|prepare"))
        .anyMatch(script -> word.matcher(script.getValue().asText("")).find());
  }

  /** The directories that installed programs are in, the nearest first. */
  List<String> programs() {
    Set<String> directories = new LinkedHashSet<>();
    place.path("node_modules/.bin").ifPresent(directories::add);
    root.path("node_modules/.bin").ifPresent(directories::add);
    return List.copyOf(directories);
  }

  /** Variables of all steps. */
  Map<String, String> stepEnv() {
    Map<String, String> env = new HashMap<>(manager.kind().env());
    env.put("HUSKY", "0"); // it would look for a git repository, which a build does not have
    env.put("NX_DAEMON", "false"); // it would stay when the step has ended
    return Map.copyOf(env);
  }

  /**
   * Variables of the steps that install: without a terminal, pnpm would fail for want of an answer.
   */
  Map<String, String> installEnv() {
    Map<String, String> env = new HashMap<>(stepEnv());
    env.put("CI", "true");
    return Map.copyOf(env);
  }

  List<String> run(String script) {
    return manager.run(place, script);
  }

  List<String> exec(List<String> words) {
    return manager.exec(place, words);
  }
}
