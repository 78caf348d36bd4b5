package dev.slipway.source.git;

import static org.eclipse.jgit.lib.Constants.OBJECT_ID_STRING_LENGTH;

import dev.slipway.source.BranchName;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import dev.slipway.source.FetchCount;
import dev.slipway.source.FetchLimit;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceHost;
import dev.slipway.source.SourceRef;
import dev.slipway.source.git.SubmoduleAddresses.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.util.FileUtils;

/**
 * A git host reached over HTTP, or a folder of bare repositories. Fetches one commit without its
 * history. Interrupting a call ends it with {@link java.util.concurrent.CancellationException}.
 */
public final class GitSource implements SourceHost {
  private static final String PARTIAL_SUFFIX = ".partial";

  private final GitHost host;
  private final SubmoduleAddresses submodules;
  private final SubmoduleAddresses openSubmodules;
  private final FetchLimit limit;

  /**
   * @param others that submodules may come from, too; a token of theirs is not used
   * @param limit for each fetch, and for the history that a short commit id is looked up in
   */
  public GitSource(GitHost host, List<GitHost> others, FetchLimit limit) {
    this.host = host;
    this.limit = limit;
    this.submodules = submodules(host, others);
    this.openSubmodules = submodules(host.anonymous(), others);
  }

  private static SubmoduleAddresses submodules(GitHost own, List<GitHost> others) {
    return new SubmoduleAddresses(
        Stream.concat(
                Stream.of(own),
                others.stream()
                    .filter(other -> !other.base().equals(own.base()))
                    .map(GitHost::anonymous))
            .toList());
  }

  /** Loads what the first fetch of a JVM would otherwise wait seconds for. Call it once, apart. */
  public static void warmUp() {
    WarmUp.run();
  }

  @Override
  public String kind() {
    return host.kind();
  }

  @Override
  public String resolve(SourceRef ref) {
    Optional<String> digits = ref.commitSha().map(sha -> sha.toLowerCase(Locale.ROOT));
    if (digits.isPresent() && digits.get().length() == OBJECT_ID_STRING_LENGTH) {
      return digits.get();
    }
    return reach(
        ref.repo(),
        (origin, failures, _) -> {
          ObjectId head = headOf(ref.branch(), origin.branches(), failures);
          return digits.isEmpty()
              ? head.name()
              : complete(digits.get(), ref.branch(), head, origin, failures);
        });
  }

  @Override
  public Checkout fetch(SourceRef ref, String sha, Path directory) {
    Path partial = directory.resolveSibling(directory.getFileName() + PARTIAL_SUFFIX);
    // Relative addresses of submodules lead to the host of their parent.
    Place place = new Place(ref.ofStrangers() ? host.anonymous() : host, ref.repo());
    SubmoduleAddresses addresses = ref.ofStrangers() ? openSubmodules : submodules;
    return reach(
        ref.repo(),
        (origin, failures, count) -> {
          delete(partial);
          Files.createDirectories(partial);
          try (Repository repository =
              origin.commit(Optional.of(ref.branch()), sha, partial.resolve("objects"))) {
            RevCommit commit =
                CommitLookup.commit(repository, sha)
                    .orElseThrow(() -> failures.commitNotFound(sha, ref.branch()));
            Path tree = Files.createDirectory(partial.resolve("tree"));
            CheckoutWriter writer = new CheckoutWriter(addresses, partial, count);
            writer.write(place, origin, repository, commit, tree);
            Files.move(tree, directory, StandardCopyOption.ATOMIC_MOVE);
            Commit written = new Commit(sha, firstLine(commit.getFullMessage()));
            return new Checkout(directory, written, writer.notes());
          } catch (IOException e) {
            // A branch that is missing explains more than the commit that was not found on it.
            headOf(ref.branch(), origin.branches(), failures);
            throw e;
          } finally {
            delete(partial);
          }
        });
  }

  @Override
  public List<String> branches(RepoName repo) {
    return reach(
        repo,
        (origin, _, _) -> origin.branches().keySet().stream().filter(BranchName::isValid).toList());
  }

  private static ObjectId headOf(
      String branch, Map<String, ObjectId> branches, FetchFailures failures) {
    ObjectId head = branches.get(branch);
    if (head == null) {
      throw failures.branchNotFound(branch, branches.keySet());
    }
    return head;
  }

  private String complete(
      String digits, String branch, ObjectId head, Origin origin, FetchFailures failures)
      throws IOException {
    Path scratch = Files.createTempDirectory(Files.createDirectories(limit.scratch()), "history-");
    try (Repository history = origin.history(branch, scratch.resolve("objects"))) {
      List<String> found = CommitLookup.startingWith(history, digits, head);
      return switch (found.size()) {
        case 0 -> throw failures.commitNotFound(digits, branch);
        case 1 -> found.getFirst();
        default -> throw failures.ambiguousCommit(digits);
      };
    } finally {
      delete(scratch);
    }
  }

  private interface Work<T> {
    T with(Origin origin, FetchFailures failures, FetchCount count) throws IOException;
  }

  private <T> T reach(RepoName repo, Work<T> work) {
    // Here and not where this is made: loading JGit costs a third of the server's start.
    BareSystem.install();
    FetchCount count = new FetchCount(limit);
    Origin origin = host.open(repo, count);
    FetchFailures failures = FetchFailures.at(new Place(host, repo));
    try {
      return Interruptible.call(() -> work.with(origin, failures, count));
    } catch (IOException e) {
      throw failures.of(e, origin.lastStatus());
    }
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }

  private static void delete(Path directory) {
    try {
      FileUtils.delete(
          directory.toFile(), FileUtils.RECURSIVE | FileUtils.SKIP_MISSING | FileUtils.RETRY);
    } catch (IOException e) {
      throw new UncheckedIOException("deleting " + directory + " failed", e);
    }
  }
}
