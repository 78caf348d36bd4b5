package dev.slipway.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A bare git repository below a git host's folder, made with the git program.
 *
 * @param name {@code owner/repo}
 * @param work where commits are made
 */
record Repository(String name, Path work) {
  static Repository create(Path host, Path works, String name) {
    Path bare = host.resolve(name + ".git");
    Path work = works.resolve(name);
    try {
      Files.createDirectories(bare);
      Files.createDirectories(work);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Programs.run(bare, "git", "init", "--quiet", "--bare", "--initial-branch=main");
    Programs.run(work, "git", "init", "--quiet", "--initial-branch=main");
    Programs.run(work, "git", "config", "user.name", "Acceptance");
    Programs.run(work, "git", "config", "user.email", "acceptance@example.org");
    Programs.run(work, "git", "remote", "add", "origin", bare.toString());
    return new Repository(name, work);
  }

  /**
   * Writes these files, and pushes.
   *
   * @return the commit's id
   */
  String commit(Map<String, String> files) {
    return commit(files, "Change");
  }

  /** The same with a message. */
  String commit(Map<String, String> files, String message) {
    try {
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path path = work.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Programs.run(work, "git", "add", "--all");
    Programs.run(work, "git", "commit", "--quiet", "--allow-empty", "--message", message);
    Programs.run(work, "git", "push", "--quiet", "origin", "main");
    return head();
  }

  /** The newest commit's id. */
  String head() {
    return Programs.run(work, "git", "rev-parse", "HEAD");
  }

  /** Leaves a file out of the next commit. */
  void delete(String file) {
    try {
      Files.delete(work.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
