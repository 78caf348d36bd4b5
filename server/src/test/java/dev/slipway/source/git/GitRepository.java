package dev.slipway.source.git;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A bare repository on disk and a working tree that commits to it, both through real git. */
public final class GitRepository {
  private static final Map<String, String> IDENTITY =
      Map.of(
          "GIT_AUTHOR_NAME", "Ada",
          "GIT_AUTHOR_EMAIL", "ada@example.com",
          "GIT_COMMITTER_NAME", "Ada",
          "GIT_COMMITTER_EMAIL", "ada@example.com",
          "GIT_CONFIG_GLOBAL", "/dev/null",
          "GIT_CONFIG_NOSYSTEM", "1");

  private final Path bare;
  private final Path work;

  private GitRepository(Path bare, Path work) {
    this.bare = bare;
    this.work = work;
  }

  /**
   * @param bare where the bare repository is made, for example {@code <folder>/acme/shop.git}
   * @param work an empty or absent directory for the working tree
   */
  public static GitRepository create(Path bare, Path work) {
    try {
      Files.createDirectories(bare);
      Files.createDirectories(work);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    GitRepository repository = new GitRepository(bare, work);
    repository.git("init", "-q", "--bare", "-b", "main", bare.toString());
    repository.git("init", "-q", "-b", "main");
    repository.git("remote", "add", "origin", bare.toString());
    return repository;
  }

  public Path bare() {
    return bare;
  }

  /** The working tree; what a test puts there is in the next commit. */
  public Path work() {
    return work;
  }

  public GitRepository write(String file, String text) {
    try {
      Path target = work.resolve(file);
      Files.createDirectories(target.getParent());
      Files.writeString(target, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Commits everything in the working tree to a branch, pushes it, answers the commit's id. */
  public String commit(String branch, String message) {
    git("checkout", "-q", "-B", branch);
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    git("push", "-q", "-f", "origin", branch);
    return git("rev-parse", "HEAD").strip();
  }

  /** Runs git in the working tree and answers what it printed. */
  public String git(String... arguments) {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile());
    builder.environment().putAll(IDENTITY);
    builder.redirectErrorStream(true);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException(command + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
