package dev.slipway.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The example Express application as a bare git repository, and what a person would type to run it
 * without Slipway.
 */
final class SampleApp {
  static final String REPOSITORY = "bench/app";

  private final Path work;
  private final Path repositories;
  private int checkouts;

  private SampleApp(Path work, Path repositories) {
    this.work = work;
    this.repositories = repositories;
  }

  /**
   * @param example a folder with package.json, package-lock.json and server.js
   */
  static SampleApp make(Path example, Path work) throws IOException, InterruptedException {
    Path source = Files.createDirectories(work.resolve("source"));
    for (String file : new String[] {"package.json", "package-lock.json", "server.js"}) {
      Files.copy(example.resolve(file), source.resolve(file));
    }
    Program.run(source, "git", "init", "--quiet", "--initial-branch=main");
    Program.run(source, "git", "add", ".");
    Program.run(
        source,
        "git",
        "-c",
        "user.name=Bench",
        "-c",
        "user.email=bench@localhost",
        "commit",
        "--quiet",
        "--message=Add the app");
    SampleApp app = new SampleApp(work, work.resolve("repositories"));
    Program.run(
        work, "git", "clone", "--quiet", "--bare", source.toString(), app.bare().toString());
    return app;
  }

  /** The folder of a git host. */
  Path repositories() {
    return repositories;
  }

  /** A fresh clone without its modules. */
  Path cloned() throws InterruptedException {
    Path checkout = work.resolve("checkout-" + checkouts++);
    Program.run(work, "git", "clone", "--quiet", bare().toUri().toString(), checkout.toString());
    return checkout;
  }

  /** Installs the modules from the warm cache. */
  void install(Path checkout) throws InterruptedException {
    Program.run(checkout, "npm", "ci", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund");
  }

  private Path bare() {
    return repositories.resolve(REPOSITORY + ".git");
  }
}
