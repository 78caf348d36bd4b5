package dev.slipway.hook.host;

import dev.slipway.core.Secret;
import dev.slipway.source.RepoName;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The API of GitHub (version 2022-11-28), which Gitea and Forgejo have taken over for what we say.
 * A pull request is an issue there.
 */
public final class GithubApi implements GitHostApi {
  private final HostConnection host;
  private final IssueComments comments;

  private GithubApi(HostConnection host) {
    this.host = host;
    this.comments = new IssueComments(host, "PATCH");
  }

  /**
   * @param base for example {@code https://api.github.com}, without a slash at its end
   */
  public static GithubApi ofGithub(URI base, Secret token) {
    return new GithubApi(
        new HostConnection(
            base,
            Map.of(
                "Authorization", "Bearer " + token.reveal(),
                "Accept", "application/vnd.github+json",
                "X-GitHub-Api-Version", "2022-11-28")));
  }

  /**
   * @param base for example {@code https://gitea.example.org/api/v1}, without a slash at its end
   */
  public static GithubApi ofGitea(URI base, Secret token) {
    return new GithubApi(
        new HostConnection(
            base,
            Map.of("Authorization", "token " + token.reveal(), "Accept", "application/json")));
  }

  @Override
  public void status(RepoName repo, String sha, CommitStatus status) throws InterruptedException {
    HostConnection.Answer answer =
        host.send(
            "POST",
            "/repos/%s/statuses/%s".formatted(repo, sha),
            Map.of(
                "state", status.state().name().toLowerCase(Locale.ROOT),
                "context", status.context(),
                "description", status.description(),
                "target_url", status.target().toString()));
    if (!answer.isGood()) {
      throw answer.refused();
    }
  }

  @Override
  public String comment(RepoName repo, int number, Optional<String> earlier, Comment comment)
      throws InterruptedException {
    return comments.say(
        "/repos/%s/issues/%d/comments".formatted(repo, number),
        "/repos/%s/issues/comments".formatted(repo),
        earlier,
        comment);
  }
}
