package dev.slipway.source.git;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;

/** Finds commits among the objects of a repository on disk. */
final class CommitLookup {
  private CommitLookup() {}

  /** The commit with this full id; empty where there is none, or where it names something else. */
  static Optional<RevCommit> commit(Repository repository, String sha) throws IOException {
    try (RevWalk walk = new RevWalk(repository)) {
      RevCommit commit = walk.parseCommit(ObjectId.fromString(sha));
      walk.parseBody(commit);
      return Optional.of(commit);
    } catch (MissingObjectException | IncorrectObjectTypeException absent) {
      return Optional.empty();
    }
  }

  /** The commits of the history of {@code head} whose ids begin with these 7 to 39 digits. */
  static List<String> startingWith(Repository repository, String digits, ObjectId head)
      throws IOException {
    try (ObjectReader reader = repository.newObjectReader()) {
      Collection<ObjectId> candidates = reader.resolve(AbbreviatedObjectId.fromString(digits));
      return candidates.isEmpty() ? List.of() : inHistory(repository, candidates, head);
    }
  }

  private static List<String> inHistory(
      Repository repository, Collection<ObjectId> candidates, ObjectId head) throws IOException {
    try (RevWalk walk = new RevWalk(repository)) {
      walk.setRetainBody(false);
      walk.markStart(walk.parseCommit(head));
      List<String> found = new ArrayList<>();
      for (RevCommit commit : walk) {
        if (candidates.contains(commit)) {
          found.add(commit.name());
        }
      }
      return found;
    }
  }
}
