package dev.slipway.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The repository of a {@link BuiltApp}, where each commit changes what it is told to change. */
final class AppRepository {
  private final BuiltApp app;
  private final Path work;
  private final Path source;
  private final Path bare;
  private int version;

  /**
   * @param repositories the folder of the git host
   * @param examples the examples of the program
   */
  AppRepository(BuiltApp app, Path work, Path repositories, Path examples)
      throws IOException, InterruptedException {
    this.app = app;
    this.work = work;
    this.source = Files.createDirectories(work.resolve("source-" + app.name()));
    this.bare = repositories.resolve(name() + ".git");
    for (Map.Entry<String, String> file : app.files().entrySet()) {
      Path path = source.resolve(file.getKey());
      Files.createDirectories(path.resolveSibling(""));
      Files.writeString(path, file.getValue());
    }
    Path lockfile = examples.resolve(app.name()).resolve("package-lock.json");
    if (Files.exists(lockfile)) {
      Files.copy(lockfile, source.resolve("package-lock.json"));
    }
    Program.run(source, "git", "init", "--quiet", "--initial-branch=main");
    Program.run(work, "git", "init", "--quiet", "--bare", "--initial-branch=main", bare.toString());
    Program.run(source, "git", "remote", "add", "origin", bare.toUri().toString());
  }

  /** As the service names it. */
  String name() {
    return "bench/" + app.name();
  }

  /** A commit with other files of the application's own. */
  void commit(String mark) throws IOException, InterruptedException {
    for (Map.Entry<String, String> file : app.files().entrySet()) {
      if (!file.getKey().equals(app.manifest())) {
        Files.writeString(source.resolve(file.getKey()), file.getValue().replace("MARK", mark));
      }
    }
    push(mark);
  }

  /** A commit whose dependencies are the same, but in files that say otherwise. */
  void commitDependencies(String mark) throws IOException, InterruptedException {
    Path manifest = source.resolve(app.manifest());
    Files.writeString(
        manifest,
        Objects.requireNonNull(app.files().get(app.manifest()))
            .replace("1.0.0", "1.0." + ++version));
    commit(mark);
  }

  private void push(String mark) throws InterruptedException {
    Program.run(source, "git", "add", "--all");
    List<String> commit = new ArrayList<>(List.of("git", "-c", "user.name=Bench"));
    commit.addAll(List.of("-c", "user.email=bench@localhost"));
    commit.addAll(List.of("commit", "--quiet", "--allow-empty", "--message=" + mark));
    Program.run(source, commit.toArray(new String[0]));
    Program.run(source, "git", "push", "--quiet", "origin", "main");
  }

  Path cloned(String directory) throws InterruptedException {
    Path checkout = work.resolve(directory);
    Program.run(
        work, "git", "clone", "--quiet", "--depth=1", bare.toUri().toString(), checkout.toString());
    return checkout;
  }
}
