package dev.slipway.source.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.TreeFormatter;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/** Commits that git's own commands would not make, written straight into a bare repository. */
final class RawCommits {
  private RawCommits() {}

  /** The head of {@code main} becomes a commit whose only file has this name. */
  static String withFile(Path bare, String name) throws IOException {
    try (Repository repository = open(bare);
        ObjectInserter inserter = repository.newObjectInserter()) {
      byte[] content = "evil\n".getBytes(StandardCharsets.UTF_8);
      TreeFormatter tree = new TreeFormatter();
      tree.append(name, FileMode.REGULAR_FILE, inserter.insert(Constants.OBJ_BLOB, content));
      ObjectId commit =
          inserter.insert(Constants.OBJ_COMMIT, commit(inserter.insert(tree), "", "evil"));
      inserter.flush();
      moveMain(repository, commit);
      return commit.name();
    }
  }

  /**
   * The head of {@code main} becomes a merge of two commits whose ids begin with the same 7 digits.
   *
   * @return one of the two
   */
  static String twins(Path bare) throws IOException {
    try (Repository repository = open(bare);
        ObjectInserter inserter = repository.newObjectInserter()) {
      ObjectId tree = inserter.insert(new TreeFormatter());
      Map<String, byte[]> seen = new HashMap<>();
      for (int i = 0; ; i++) {
        byte[] one = commit(tree, "", "twin " + i);
        String id = inserter.idFor(Constants.OBJ_COMMIT, one).name();
        byte[] other = seen.putIfAbsent(id.substring(0, 7), one);
        if (other != null) {
          ObjectId first = inserter.insert(Constants.OBJ_COMMIT, other);
          ObjectId second = inserter.insert(Constants.OBJ_COMMIT, one);
          String parents = "parent " + first.name() + "\nparent " + second.name() + "\n";
          ObjectId merge = inserter.insert(Constants.OBJ_COMMIT, commit(tree, parents, "merge"));
          inserter.flush();
          moveMain(repository, merge);
          return id;
        }
      }
    }
  }

  private static Repository open(Path bare) throws IOException {
    return new FileRepositoryBuilder().setGitDir(bare.toFile()).setBare().build();
  }

  private static byte[] commit(ObjectId tree, String parents, String message) {
    String who = " Ada <ada@example.com> 1700000000 +0000\n";
    String text =
        "tree "
            + tree.name()
            + "\n"
            + parents
            + "author"
            + who
            + "committer"
            + who
            + "\n"
            + message;
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void moveMain(Repository repository, ObjectId commit) throws IOException {
    RefUpdate update = repository.updateRef(Constants.R_HEADS + "main");
    update.setNewObjectId(commit);
    update.forceUpdate();
  }
}
