package dev.slipway.hook;

import dev.slipway.hook.PullRequest.Action;
import dev.slipway.source.BranchName;
import dev.slipway.source.RepoName;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads a pull request from what hosts say about it. */
final class PullRequestFields {
  private static final URI NOWHERE = URI.create("about:blank");

  private PullRequestFields() {}

  /**
   * The parts of a pull request, unchecked.
   *
   * @param repo which it is made to
   * @param headRepo absent where that is gone
   */
  record Parts(
      String repo,
      int number,
      String title,
      Optional<String> headRepo,
      String headBranch,
      String headSha,
      String baseBranch,
      String author,
      String webUrl,
      List<String> words) {}

  /**
   * In the shape that GitHub, Gitea and Forgejo share.
   *
   * @param pushed what the host calls it that there are other commits
   * @param base where it tells of an edit which branch it was to go into
   */
  static Message read(Payload payload, String pushed, String base) {
    String action = payload.required("/action");
    if (action.equals(pushed)) {
      return read(payload, Action.UPDATED);
    }
    return switch (action) {
      case "opened", "reopened" -> read(payload, Action.OPENED);
      case "closed" -> read(payload, Action.CLOSED);
      case "edited" -> payload.has(base) ? read(payload, Action.UPDATED) : unchanged(action);
      default -> unchanged(action);
    };
  }

  private static Message read(Payload payload, Action action) {
    UnaryOperator<String> read = of(payload, action);
    String title = read.apply("/pull_request/title");
    return read(
        new Parts(
            payload
                .text("/pull_request/base/repo/full_name")
                .orElseGet(() -> payload.required("/repository/full_name")),
            payload.requiredNumber("/pull_request/number"),
            title,
            payload.text("/pull_request/head/repo/full_name"),
            read.apply("/pull_request/head/ref"),
            read.apply("/pull_request/head/sha"),
            read.apply("/pull_request/base/ref"),
            payload.text("/pull_request/user/login").orElse(""),
            read.apply("/pull_request/html_url"),
            List.of(title)),
        action);
  }

  /** What must be there; of one that is closed, whose parts may be gone, nothing must. */
  static UnaryOperator<String> of(Payload payload, Action action) {
    return action == Action.CLOSED ? path -> payload.text(path).orElse("") : payload::required;
  }

  /** Checked; one that we could not fetch or show is none for us. */
  static Message read(Parts parts, Action action) {
    Optional<String> fault =
        action == Action.CLOSED ? Optional.empty() : unusable(parts); // what there is of it may go
    Optional<URI> page =
        page(parts.webUrl()).or(() -> Optional.of(NOWHERE).filter(_ -> action == Action.CLOSED));
    if (fault.isPresent() || page.isEmpty()) {
      return new Message.Other(fault.orElse("The pull request's address is no address."));
    }
    return new Message.Proposed(
        parts.repo(),
        new PullRequest(
            parts.number(),
            parts.title(),
            action,
            parts.headRepo().filter(RepoName::isValid).map(RepoName::new),
            parts.headBranch(),
            parts.headSha(),
            parts.baseBranch(),
            parts.headRepo().map(head -> !head.equalsIgnoreCase(parts.repo())).orElse(true),
            parts.author(),
            page.get()),
        parts.words());
  }

  static Message unchanged(String action) {
    return new Message.Other(
        "The pull request was %s, which changes none of its commits.".formatted(action));
  }

  private static Optional<String> unusable(Parts parts) {
    if (parts.headRepo().isEmpty()) {
      return Optional.of("The repository that the pull request comes from is gone.");
    }
    if (!RepoName.isValid(parts.headRepo().get()) || !BranchName.isValid(parts.headBranch())) {
      return Optional.of(
          "The pull request comes from a repository or a branch whose name Slipway does not take.");
    }
    return Push.isCommit(parts.headSha())
        ? Optional.empty()
        : Optional.of("The pull request's commit is not named by 40 hexadecimal digits.");
  }

  /** Not anything that a browser would run. */
  private static Optional<URI> page(String text) {
    try {
      URI uri = new URI(text);
      boolean web = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
      return web && uri.getHost() != null ? Optional.of(uri) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
