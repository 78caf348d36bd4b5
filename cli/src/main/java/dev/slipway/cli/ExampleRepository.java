package dev.slipway.cli;

import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.PersonIdent;

/** Makes a bare git repository out of an example's folder, with one commit on {@code main}. */
final class ExampleRepository {
  private ExampleRepository() {}

  /**
   * @param folder the example
   * @param bare where the repository is to be, ending in {@code .git}
   */
  static void make(Path folder, Path bare) throws IOException {
    Path work = Files.createTempDirectory("slipway-example");
    try {
      copy(folder, work);
      try (Git git = Git.init().setDirectory(work.toFile()).setInitialBranch("main").call()) {
        PersonIdent author = new PersonIdent("Slipway", "quickstart@localhost");
        git.add().addFilepattern(".").call();
        git.commit()
            .setMessage("Add the example")
            .setAuthor(author)
            .setCommitter(author)
            .setSign(false)
            .call();
      }
      Trees.delete(bare);
      Git.cloneRepository()
          .setURI(work.toUri().toString())
          .setDirectory(bare.toFile())
          .setBare(true)
          .call()
          .close();
    } catch (GitAPIException e) {
      throw new IOException("the example's repository could not be made: " + e.getMessage(), e);
    } finally {
      Trees.delete(work);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(from)) {
      files = all.filter(path -> !from.relativize(path).startsWith("node_modules")).toList();
    }
    for (Path file : files) {
      Path target = to.resolve(from.relativize(file).toString());
      if (Files.isDirectory(file)) {
        Files.createDirectories(target);
      } else {
        Files.copy(file, target);
      }
    }
  }
}
