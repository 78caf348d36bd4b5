package dev.slipway.framework.python;

import dev.slipway.framework.BuildPlan.Fallback;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.python.Manifest.Command;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A project as PEP 621 describes it, which uv installs, with a uv.lock or without.
 *
 * @param directory of the application
 */
record UvProject(Checkout checkout, String directory, Pyproject pyproject) {
  private static final String LOCK = "uv.lock";
  private static final Pattern LOCKED = Pattern.compile("(?m)^name = \"([^\"]+)\"");

  static Optional<Manifest> locked(Checkout checkout, String directory) {
    return Pyproject.in(checkout, directory)
        .map(it -> new UvProject(checkout, directory, it))
        .flatMap(project -> project.root().map(project::locked));
  }

  static Optional<Manifest> unlocked(Checkout checkout, String directory) {
    return Pyproject.in(checkout, directory)
        .filter(Pyproject::isProject)
        .map(it -> new UvProject(checkout, directory, it).unlocked());
  }

  /** Where the lockfile lies: here, or at the workspace's root above. */
  private Optional<String> root() {
    if (checkout.hasFile(Paths.join(directory, LOCK))) {
      return Optional.of(directory);
    }
    String at = directory;
    while (!at.isEmpty()) {
      at = Paths.above(at);
      if (checkout.hasFile(Paths.join(at, LOCK))
          && Pyproject.in(checkout, at).filter(Pyproject::isWorkspace).isPresent()) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  private Manifest locked(String root) {
    String lock = Paths.join(root, LOCK);
    List<String> names = new ArrayList<>(Manifest.names(pyproject.requirements()));
    List<String> held =
        LOCKED.matcher(checkout.text(lock).orElse("")).results().map(it -> it.group(1)).toList();
    // What a workspace's lockfile holds may be there for another member of it.
    if (root.equals(directory) && !pyproject.isWorkspace()) {
      names.addAll(held);
    }
    Fallback update =
        new Fallback(
            "needs to be updated",
            dependencies(),
            "%s does not match pyproject.toml, so it is brought up to date. Run uv lock and commit it."
                .formatted(lock));
    Command install = new Command(with(dependencies(), "--locked"), Optional.of(update));
    return new Manifest(
        lock, names, held.contains("uvicorn"), root, commands(install), inputs(root), List.of());
  }

  private Manifest unlocked() {
    List<String> names = new ArrayList<>(Manifest.names(pyproject.requirements()));
    if (!option().isEmpty() || (pyproject.isDynamic() && mentionsFastapi())) {
      names.add("fastapi");
    }
    return new Manifest(
        Paths.join(directory, Pyproject.FILE),
        names,
        Manifest.uvicorn(pyproject.requirements()),
        directory,
        commands(Command.of(dependencies())),
        inputs(directory),
        List.of(
            new Finding(
                true,
                "There is no lockfile beside pyproject.toml, so every build may get other versions."
                    + " Run uv lock and commit it.")));
  }

  /** What the project needs is installed first: whether it can be installed itself is less sure. */
  private List<Command> commands(Command dependencies) {
    if (!pyproject.isPackage()) {
      return List.of(dependencies);
    }
    List<String> whole = with(dependencies(), "--frozen");
    whole.remove("--no-install-project");
    Fallback unbuilt =
        new Fallback(
            "Failed to build",
            with(dependencies(), "--frozen"),
            "The project itself cannot be installed as a package, so it runs from its files alone."
                + " Correct the build-system of pyproject.toml or leave it out.");
    return List.of(dependencies, new Command(whole, Optional.of(unbuilt)));
  }

  private List<String> dependencies() {
    List<String> argv = new ArrayList<>(List.of("uv", "sync", "--no-dev", "--no-install-project"));
    argv.addAll(option());
    return argv;
  }

  /** The optional part that FastAPI is in, where it is in one. */
  private List<String> option() {
    return Manifest.names(pyproject.requirements()).contains("fastapi")
        ? List.of()
        : pyproject.optionFor("fastapi").orElse(List.of());
  }

  private static List<String> with(List<String> argv, String option) {
    List<String> all = new ArrayList<>(argv);
    all.add(option);
    return all;
  }

  /** Dependencies of a dynamic project stand in another file. */
  private boolean mentionsFastapi() {
    return Stream.of("requirements.txt", "setup.py", "setup.cfg")
        .flatMap(name -> checkout.text(Paths.join(directory, name)).stream())
        .anyMatch(text -> text.contains("fastapi"));
  }

  private List<String> inputs(String root) {
    List<String> inputs = new ArrayList<>();
    inputs.add(Paths.join(root, LOCK));
    inputs.add(Paths.join(directory, Pyproject.FILE));
    if (!root.equals(directory) || pyproject.isWorkspace()) {
      inputs.add(Paths.join(root, Pyproject.FILE));
      inputs.add(Paths.join(root, "**/" + Pyproject.FILE));
    }
    if (pyproject.isDynamic()) {
      inputs.add(Paths.join(directory, "setup.*"));
      inputs.add(Paths.join(directory, "**/requirements*.txt"));
    }
    return inputs.stream().distinct().toList();
  }
}
