package dev.slipway.source.git;

import dev.slipway.source.FetchCount;
import dev.slipway.source.FetchLimit;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.TreeFormatter;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.util.FileUtils;

/** Fetches a tiny commit from one temporary repository to another, to load JGit. */
final class WarmUp {
  private WarmUp() {}

  static void run() {
    BareSystem.install();
    try {
      Path scratch = Files.createTempDirectory("slipway-warm-up-");
      try (Repository from = create(scratch.resolve("from"));
          Repository into = create(scratch.resolve("into"))) {
        ObjectId commit = commit(from);
        fetch(from, into);
        Path tree = Files.createDirectory(scratch.resolve("tree"));
        FetchCount count = new FetchCount(new FetchLimit(scratch, Long.MAX_VALUE, 0));
        new TreeWriter(tree, new Allowance(), count)
            .write(into, CommitLookup.commit(into, commit.name()).orElseThrow().getTree());
      } finally {
        FileUtils.delete(scratch.toFile(), FileUtils.RECURSIVE);
      }
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException("warming up git failed", e);
    }
  }

  private static Repository create(Path directory) throws IOException {
    Repository repository =
        new FileRepositoryBuilder().setGitDir(directory.toFile()).setBare().build();
    repository.create(true);
    return repository;
  }

  private static ObjectId commit(Repository repository) throws IOException {
    try (ObjectInserter inserter = repository.newObjectInserter()) {
      byte[] text = "warm\n".getBytes(StandardCharsets.UTF_8);
      TreeFormatter tree = new TreeFormatter();
      tree.append("file", FileMode.REGULAR_FILE, inserter.insert(Constants.OBJ_BLOB, text));
      CommitBuilder commit = new CommitBuilder();
      commit.setTreeId(inserter.insert(tree));
      PersonIdent nobody = new PersonIdent("slipway", "slipway", Instant.EPOCH, ZoneOffset.UTC);
      commit.setAuthor(nobody);
      commit.setCommitter(nobody);
      commit.setMessage("warm");
      ObjectId id = inserter.insert(commit);
      inserter.flush();
      var update = repository.updateRef(Constants.R_HEADS + "main");
      update.setNewObjectId(id);
      update.update();
      return id;
    }
  }

  private static void fetch(Repository from, Repository into)
      throws IOException, URISyntaxException {
    try (Transport transport = Transport.open(into, from.getDirectory().getAbsolutePath())) {
      transport.fetch(
          NullProgressMonitor.INSTANCE,
          List.of(new RefSpec(Constants.R_HEADS + "main:" + Constants.R_HEADS + "main")));
    }
  }
}
