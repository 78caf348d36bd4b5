package dev.slipway.framework.python;

import dev.slipway.framework.BuildPlan.Fallback;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the manifests of a directory, the most exact first. */
record Manifests(Checkout checkout, String directory) {
  static final List<String> PIP_INSTALL =
      List.of("uv", "pip", "install", "--python", ".venv/bin/python");

  private static final List<String> REQUIREMENTS =
      List.of(
          "requirements.txt",
          "requirements/prod.txt",
          "requirements/production.txt",
          "requirements/base.txt",
          "requirements/requirements.txt",
          "requirements-prod.txt",
          "requirements.prod.txt",
          "app/requirements.txt",
          "src/requirements.txt");
  private static final Pattern LOCKED = Pattern.compile("(?m)^name = \"([^\"]+)\"");

  /** All that there are. */
  List<Manifest> all() {
    return Stream.of(
            uvLock(),
            poetryLock(),
            pipfile("Pipfile.lock"),
            requirements(),
            project(),
            poetry(),
            pipfile("Pipfile"),
            setup())
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Manifest> uvLock() {
    Optional<Pyproject> pyproject = Pyproject.in(checkout, directory);
    Optional<String> root = pyproject.isEmpty() ? Optional.empty() : uvRoot();
    return root.map(at -> uvProject(pyproject.get(), at, Paths.join(at, "uv.lock")));
  }

  /** Where the lockfile lies: here, or at the workspace's root above. */
  private Optional<String> uvRoot() {
    if (checkout.hasFile(Paths.join(directory, "uv.lock"))) {
      return Optional.of(directory);
    }
    String at = directory;
    while (!at.isEmpty()) {
      at = Paths.above(at);
      if (checkout.hasFile(Paths.join(at, "uv.lock"))
          && Pyproject.in(checkout, at).filter(Pyproject::isWorkspace).isPresent()) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  private Manifest uvProject(Pyproject pyproject, String root, String lock) {
    List<String> names = new ArrayList<>(Manifest.names(pyproject.requirements()));
    Optional<List<String>> option =
        names.contains("fastapi") ? Optional.empty() : pyproject.optionFor("fastapi");
    checkout
        .text(lock)
        .ifPresent(text -> LOCKED.matcher(text).results().forEach(it -> names.add(it.group(1))));
    List<String> sync = new ArrayList<>(List.of("uv", "sync", "--no-dev", "--no-install-project"));
    option.ifPresent(sync::addAll);
    List<String> locked = new ArrayList<>(sync);
    locked.add("--locked");
    List<String> whole = new ArrayList<>(sync);
    whole.remove("--no-install-project");
    whole.add("--frozen");
    return new Manifest(
        lock,
        names,
        names.contains("uvicorn"),
        root,
        pyproject.isPackage() ? List.of(locked, whole) : List.of(locked),
        Optional.of(
            new Fallback(
                "needs to be updated",
                sync,
                "uv.lock does not match pyproject.toml, so it is brought up to date. Run uv lock and commit the lockfile.")),
        inputs(lock, root, pyproject),
        List.of());
  }

  private List<String> inputs(String lock, String root, Pyproject pyproject) {
    List<String> inputs = new ArrayList<>(List.of(lock));
    inputs.add(Paths.join(directory, Pyproject.FILE));
    if (!root.equals(directory) || pyproject.isWorkspace()) {
      inputs.add(Paths.join(root, "**/" + Pyproject.FILE));
      inputs.add(Paths.join(root, Pyproject.FILE));
    }
    if (pyproject.isDynamic()) {
      inputs.add(Paths.join(directory, "setup.*"));
      inputs.add(Paths.join(directory, "**/requirements*.txt"));
    }
    return inputs.stream().distinct().toList();
  }

  private Optional<Manifest> project() {
    return Pyproject.in(checkout, directory)
        .filter(Pyproject::isProject)
        .map(pyproject -> {
          Manifest locked = uvProject(pyproject, directory, Paths.join(directory, "uv.lock"));
          List<List<String>> commands = new ArrayList<>(locked.commands());
          commands.set(0, locked.fallback().orElseThrow().argv());
          return new Manifest(
              Paths.join(directory, Pyproject.FILE),
              dynamicNames(pyproject, locked.packages()),
              Manifest.uvicorn(pyproject.requirements()),
              directory,
              commands,
              Optional.empty(),
              inputs(Paths.join(directory, Pyproject.FILE), directory, pyproject),
              List.of(
                  new Finding(
                      true,
                      "There is no lockfile beside pyproject.toml, so every build may get other versions. Run uv lock and commit it.")));
        });
  }

  /** A project whose dependencies stand in its requirements.txt or setup.cfg. */
  private List<String> dynamicNames(Pyproject pyproject, List<String> names) {
    List<String> all = new ArrayList<>(names);
    if (pyproject.isDynamic()) {
      setup().ifPresent(setup -> all.addAll(setup.packages()));
    }
    return all;
  }

  private Optional<Manifest> poetryLock() {
    String file = Paths.join(directory, "poetry.lock");
    Optional<Pyproject> pyproject = Pyproject.in(checkout, directory);
    return pyproject
        .filter(it -> checkout.hasFile(file))
        .flatMap(it -> PoetryLock.in(checkout, file, it))
        .map(lock -> pinned(file, lock));
  }

  private Optional<Manifest> pipfile(String name) {
    String file = Paths.join(directory, name);
    return name.endsWith(".lock")
        ? Pipfile.locked(checkout, file).map(lock -> pinned(file, lock))
        : Pipfile.open(checkout, file).map(requirements -> open(file, requirements));
  }

  private Manifest pinned(String file, Pins pins) {
    List<String> install = new ArrayList<>(PIP_INSTALL);
    install.add("--no-deps");
    pins.indexes().forEach(index -> install.addAll(List.of("--extra-index-url", index)));
    install.addAll(pins.texts());
    List<List<String>> commands = new ArrayList<>(List.of(install));
    List<Finding> findings = new ArrayList<>();
    if (!pins.missing().isEmpty()) {
      List<String> rest = new ArrayList<>(PIP_INSTALL);
      pins.missing().forEach(it -> rest.add(it.text()));
      commands.add(rest);
      findings.add(
          new Finding(
              true,
              "%s lacks %s, so the newest versions are installed. Bring the lockfile up to date and commit it."
                  .formatted(file, String.join(", ", Manifest.names(pins.missing())))));
    }
    return new Manifest(
        file,
        pins.names(),
        pins.names().contains("uvicorn"),
        directory,
        commands,
        Optional.empty(),
        List.of(file, Paths.join(directory, Pyproject.FILE)),
        findings);
  }

  private Manifest open(String file, List<Requirement> requirements) {
    List<String> install = new ArrayList<>(PIP_INSTALL);
    requirements.forEach(it -> install.add(it.text()));
    return new Manifest(
        file,
        Manifest.names(requirements),
        Manifest.uvicorn(requirements),
        directory,
        requirements.isEmpty() ? List.of() : List.of(install),
        Optional.empty(),
        List.of(file),
        List.of(
            new Finding(
                true,
                "There is no lockfile beside %s, so every build may get other versions. Lock and commit it."
                    .formatted(file))));
  }

  private Optional<Manifest> poetry() {
    String file = Paths.join(directory, Pyproject.FILE);
    return Pyproject.in(checkout, directory)
        .filter(it -> it.isPoetry() && !it.isProject())
        .map(it -> open(file, it.requirements()));
  }

  private Optional<Manifest> requirements() {
    List<RequirementsFile> files =
        REQUIREMENTS.stream()
            .flatMap(name -> RequirementsFile.in(checkout, Paths.join(directory, name)).stream())
            .toList();
    return files.stream()
        .filter(file -> file.asksFor("fastapi"))
        .findFirst()
        .or(() -> files.stream().findFirst())
        .map(this::requirements);
  }

  private Manifest requirements(RequirementsFile file) {
    return ofRequirements(directory, file);
  }

  /**
   * @param directory that the command runs in
   */
  static Manifest ofRequirements(String directory, RequirementsFile file) {
    String path = file.files().iterator().next();
    String name = Paths.from(directory, path);
    List<String> install = new ArrayList<>(PIP_INSTALL);
    if (file.furtherIndex()) {
      // As pip does: the best version of all indexes, not of the first that knows the name.
      install.addAll(List.of("--index-strategy", "unsafe-best-match"));
    }
    install.addAll(List.of("-r", name));
    List<String> inputs = new ArrayList<>(file.files());
    file.paths().forEach(local -> inputs.add(Paths.join(local, "**")));
    boolean open = file.requirements().stream().noneMatch(it -> it.text().contains("=="));
    Finding finding =
        new Finding(
            true,
            "%s fixes no versions, so every build may get others. Write them with == or use a lockfile."
                .formatted(path));
    return new Manifest(
        path,
        Manifest.names(file.requirements()),
        Manifest.uvicorn(file.requirements()),
        directory,
        List.of(install),
        Optional.of(
            new Fallback(
                "Couldn't parse requirement",
                List.of(
                    "uv",
                    "tool",
                    "run",
                    "pip",
                    "--python",
                    ".venv/bin/python",
                    "install",
                    "-r",
                    name),
                "%s holds what only pip understands, so pip installs it.".formatted(path))),
        inputs,
        open ? List.of(finding) : List.of());
  }

  private Optional<Manifest> setup() {
    List<String> files =
        Stream.of("setup.py", "setup.cfg")
            .map(name -> Paths.join(directory, name))
            .filter(checkout::hasFile)
            .toList();
    if (files.isEmpty()) {
      return Optional.empty();
    }
    // What a setup.py asks for is known only to who runs it: words are looked for.
    List<String> names = new ArrayList<>();
    for (String file : files) {
      String text = checkout.text(file).orElse("");
      Stream.of("fastapi", "uvicorn", "flask", "django").filter(text::contains).forEach(names::add);
    }
    List<String> install = new ArrayList<>(PIP_INSTALL);
    install.addAll(List.of("-e", "."));
    return Optional.of(
        new Manifest(
            files.getFirst(),
            names,
            names.contains("uvicorn"),
            directory,
            List.of(install),
            Optional.empty(),
            List.of(
                Paths.join(directory, "setup.*"), Paths.join(directory, "**/requirements*.txt")),
            List.of()));
  }
}
