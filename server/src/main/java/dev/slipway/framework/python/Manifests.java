package dev.slipway.framework.python;

import dev.slipway.framework.BuildPlan.Fallback;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.python.Manifest.Command;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
          "src/requirements.txt",
          "requirements/main.txt",
          "requirements/common.txt",
          "requirements/default.txt",
          "requirements-base.txt",
          // Some keep what runs in production with what else they work with.
          "requirements/dev.txt",
          "requirements/local.txt",
          "requirements-dev.txt",
          "requirements_dev.txt",
          "requirements-tests.txt");

  /** All that there are. */
  List<Manifest> all() {
    return Stream.of(
            UvProject.locked(checkout, directory),
            poetryLock(),
            pipfileLock(),
            requirements(),
            UvProject.unlocked(checkout, directory),
            poetry(),
            pipfile(),
            setup())
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Manifest> poetryLock() {
    String file = in("poetry.lock");
    return Pyproject.in(checkout, directory)
        .filter(it -> checkout.hasFile(file))
        .flatMap(it -> PoetryLock.in(checkout, file, it))
        .map(lock -> pinned(file, lock));
  }

  private Optional<Manifest> pipfileLock() {
    String file = in("Pipfile.lock");
    return Pipfile.locked(checkout, file).map(lock -> pinned(file, lock));
  }

  private Manifest pinned(String file, Pins pins) {
    List<String> install = new ArrayList<>(PIP_INSTALL);
    install.add("--no-deps");
    if (!pins.indexes().isEmpty()) {
      install.addAll(List.of("--index-strategy", "unsafe-best-match"));
      pins.indexes().forEach(index -> install.addAll(List.of("--extra-index-url", index)));
    }
    install.addAll(pins.texts());
    List<Command> commands = new ArrayList<>(List.of(Command.of(install)));
    List<Finding> findings = new ArrayList<>();
    if (!pins.missing().isEmpty()) {
      commands.add(Command.of(packages(pins.missing())));
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
        List.of(file, in(Pyproject.FILE)),
        findings);
  }

  private Optional<Manifest> poetry() {
    return Pyproject.in(checkout, directory)
        .filter(it -> it.isPoetry() && !it.isProject())
        .map(it -> open(in(Pyproject.FILE), it.requirements()));
  }

  private Optional<Manifest> pipfile() {
    String file = in(Pipfile.FILE);
    return Pipfile.open(checkout, file).map(requirements -> open(file, requirements));
  }

  private Manifest open(String file, List<Requirement> requirements) {
    return new Manifest(
        file,
        Manifest.names(requirements),
        Manifest.uvicorn(requirements),
        directory,
        requirements.isEmpty() ? List.of() : List.of(Command.of(packages(requirements))),
        List.of(file),
        List.of(
            new Finding(
                true,
                "There is no lockfile beside %s, so every build may get other versions. Lock and commit it."
                    .formatted(file))));
  }

  private static List<String> packages(List<Requirement> requirements) {
    List<String> argv = new ArrayList<>(PIP_INSTALL);
    requirements.forEach(it -> argv.add(it.text()));
    return argv;
  }

  private Optional<Manifest> requirements() {
    List<RequirementsFile> files =
        REQUIREMENTS.stream()
            .flatMap(name -> RequirementsFile.in(checkout, in(name)).stream())
            .toList();
    return files.stream()
        .filter(file -> file.asksFor("fastapi"))
        .findFirst()
        .or(() -> files.stream().findFirst())
        .map(file -> of(directory, file));
  }

  /**
   * @param directory that the command runs in
   */
  static Manifest of(String directory, RequirementsFile file) {
    String path = file.files().iterator().next();
    String name = Paths.from(directory, path);
    List<String> install = new ArrayList<>(PIP_INSTALL);
    if (file.furtherIndex()) {
      // As pip does: the best version of all indexes, not of the first that knows the name.
      install.addAll(List.of("--index-strategy", "unsafe-best-match"));
    }
    install.addAll(List.of("-r", name));
    Fallback pip =
        new Fallback(
            "Couldn't parse requirement",
            List.of(
                "uv", "tool", "run", "pip", "--python", ".venv/bin/python", "install", "-r", name),
            "%s holds what only pip understands, so pip installs it.".formatted(path));
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
        List.of(new Command(install, Optional.of(pip))),
        inputs,
        open ? List.of(finding) : List.of());
  }

  private Optional<Manifest> setup() {
    List<String> files =
        Stream.of("setup.py", "setup.cfg").map(this::in).filter(checkout::hasFile).toList();
    if (files.isEmpty()) {
      return Optional.empty();
    }
    // What a setup.py asks for is known only to who runs it: words are looked for.
    List<String> names =
        Stream.of("fastapi", "uvicorn", "flask", "django")
            .filter(
                name -> files.stream().anyMatch(it -> checkout.text(it).orElse("").contains(name)))
            .toList();
    List<String> install = new ArrayList<>(PIP_INSTALL);
    install.addAll(List.of("-e", "."));
    return Optional.of(
        new Manifest(
            files.getFirst(),
            names,
            names.contains("uvicorn"),
            directory,
            List.of(Command.of(install)),
            List.of(in("setup.*"), in("**/requirements*.txt")),
            List.of()));
  }

  private String in(String name) {
    return Paths.join(directory, name);
  }
}
