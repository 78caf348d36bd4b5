package dev.slipway.hook.host;

import dev.slipway.core.Secret;
import dev.slipway.source.RepoName;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** The REST API of GitLab, version 4. A comment is a note there. */
public final class GitlabApi implements GitHostApi {
  private final HostConnection host;
  private final IssueComments notes;

  /**
   * @param base for example {@code https://gitlab.com/api/v4}, without a slash at its end
   */
  public GitlabApi(URI base, Secret token) {
    this.host = new HostConnection(base, Map.of("PRIVATE-TOKEN", token.reveal()));
    this.notes = new IssueComments(host, "PUT");
  }

  @Override
  public void status(RepoName repo, String sha, CommitStatus status) throws InterruptedException {
    HostConnection.Answer answer =
        host.send(
            "POST",
            "%s/statuses/%s".formatted(project(repo), sha),
            Map.of(
                "state", word(status.state()),
                "name", status.context(),
                "description", status.description(),
                "target_url", status.target().toString()));
    if (!answer.isGood() && !isSaidAlready(answer)) {
      throw answer.refused();
    }
  }

  /** It takes no state twice, and none back. */
  private static boolean isSaidAlready(HostConnection.Answer answer) {
    return answer.status() == 400 && answer.body().contains("Cannot transition status");
  }

  private static String word(CommitStatus.State state) {
    return switch (state) {
      case PENDING -> "pending";
      case SUCCESS -> "success";
      case FAILURE -> "failed";
    };
  }

  @Override
  public String comment(RepoName repo, int number, Optional<String> earlier, Comment comment)
      throws InterruptedException {
    String folder = "%s/merge_requests/%d/notes".formatted(project(repo), number);
    return notes.say(folder, folder, earlier, comment);
  }

  /** By its path, which is one segment here. */
  private static String project(RepoName repo) {
    return "/projects/" + URLEncoder.encode(repo.value(), StandardCharsets.UTF_8);
  }
}
