package dev.slipway.source.git;

import static org.eclipse.jgit.lib.Constants.OBJECT_ID_STRING_LENGTH;

import dev.slipway.core.Secret;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceHost;
import dev.slipway.source.SourceRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.util.FileUtils;

/**
 * A git host reached over HTTP, or a folder of bare repositories. Fetches one commit without its
 * history. Interrupting a call ends it with {@link java.util.concurrent.CancellationException}.
 */
public final class GitSource implements SourceHost {
  private static final Set<String> SCHEMES = Set.of("http", "https", "file");
  private static final String PARTIAL_SUFFIX = ".partial";

  private final String kind;
  private final URI base;
  private final Optional<Secret> token;

  /**
   * @param kind the value of the API field {@code source}, for example {@code github}
   * @param base {@code http}, {@code https} or {@code file}; a repository's address is {@code
   *     <base>/<owner>/<repo>.git}
   * @param token sent to this host alone, as the password of HTTP basic authentication
   */
  public GitSource(String kind, URI base, Optional<Secret> token) {
    if (base.getScheme() == null || !SCHEMES.contains(base.getScheme())) {
      throw new IllegalArgumentException(
          "the address of the repository host %s must begin with http://, https:// or file:///"
              .formatted(kind));
    }
    if (base.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "the address of the repository host %s must not carry a login; set its token instead"
              .formatted(kind));
    }
    this.kind = kind;
    this.base = base;
    this.token = token;
  }

  /** Loads what the first fetch of a JVM would otherwise wait seconds for. Call it once, apart. */
  public static void warmUp() {
    WarmUp.run();
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public String resolve(SourceRef ref) {
    Optional<String> digits = ref.commitSha().map(sha -> sha.toLowerCase(Locale.ROOT));
    if (digits.isPresent() && digits.get().length() == OBJECT_ID_STRING_LENGTH) {
      return digits.get();
    }
    return reach(
        ref.repo(),
        (origin, failures) -> {
          ObjectId head = headOf(ref.branch(), origin.branches(), failures);
          return digits.isEmpty()
              ? head.name()
              : complete(digits.get(), ref.branch(), head, origin, failures);
        });
  }

  @Override
  public Checkout fetch(SourceRef ref, String sha, Path directory) {
    Path partial = directory.resolveSibling(directory.getFileName() + PARTIAL_SUFFIX);
    return reach(
        ref.repo(),
        (origin, failures) -> {
          delete(partial);
          Files.createDirectories(partial);
          try (Repository repository =
              origin.commit(ref.branch(), sha, partial.resolve("objects"))) {
            RevCommit commit =
                CommitLookup.commit(repository, sha)
                    .orElseThrow(() -> failures.commitNotFound(sha, ref.branch()));
            Path tree = Files.createDirectory(partial.resolve("tree"));
            new TreeWriter(tree).write(repository, commit.getTree());
            Files.move(tree, directory, StandardCopyOption.ATOMIC_MOVE);
            return new Checkout(directory, new Commit(sha, firstLine(commit.getFullMessage())));
          } catch (IOException e) {
            // A branch that is missing explains more than the commit that was not found on it.
            headOf(ref.branch(), origin.branches(), failures);
            throw e;
          } finally {
            delete(partial);
          }
        });
  }

  private static ObjectId headOf(
      String branch, Map<String, ObjectId> branches, FetchFailures failures) {
    ObjectId head = branches.get(branch);
    if (head == null) {
      throw failures.branchNotFound(branch, branches.keySet());
    }
    return head;
  }

  private static String complete(
      String digits, String branch, ObjectId head, Origin origin, FetchFailures failures)
      throws IOException {
    Path scratch = Files.createTempDirectory("slipway-history-");
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
    T with(Origin origin, FetchFailures failures) throws IOException;
  }

  private <T> T reach(RepoName repo, Work<T> work) {
    // Here and not where this is made: loading JGit costs a third of the server's start.
    BareSystem.install();
    URI address = addressOf(repo);
    Origin origin =
        address.getScheme().equals("file")
            ? new FolderOrigin(Path.of(address))
            : new HttpOrigin(address, token);
    FetchFailures failures = new FetchFailures(kind, address, repo);
    try {
      return Interruptible.call(() -> work.with(origin, failures));
    } catch (IOException e) {
      throw failures.of(e, origin.lastStatus());
    }
  }

  private URI addressOf(RepoName repo) {
    String folder = base.toString().replaceFirst("/+$", "");
    return URI.create(folder + "/" + repo + (repo.value().endsWith(".git") ? "" : ".git"));
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
