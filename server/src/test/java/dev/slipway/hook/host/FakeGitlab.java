package dev.slipway.hook.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import dev.slipway.core.Secret;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** GitLab, which takes no status twice and takes none back. */
final class FakeGitlab extends FakeGitHost {
  private static final int MAX_DESCRIPTION = 255;
  private static final Pattern STATUS =
      Pattern.compile("/api/v4/projects/([\\w%-]+)/statuses/(\\w+)");
  private static final Pattern NOTES =
      Pattern.compile("/api/v4/projects/([\\w%-]+)/merge_requests/(\\d+)/notes(?:/(\\d+))?");
  private static final String PROJECT = REPO.replace("/", "%2F");
  private static final Map<String, CommitStatus.State> STATES =
      Map.of(
          "pending", CommitStatus.State.PENDING,
          "running", CommitStatus.State.PENDING,
          "success", CommitStatus.State.SUCCESS,
          "failed", CommitStatus.State.FAILURE,
          "canceled", CommitStatus.State.FAILURE);

  @Override
  public GitHostApi api(Secret token) {
    return new GitlabApi(base().resolve("/api/v4"), token);
  }

  @Override
  boolean isAllowed(HttpExchange exchange) {
    return token().reveal().equals(exchange.getRequestHeaders().getFirst("PRIVATE-TOKEN"));
  }

  @Override
  Answer answer(String method, String path, JsonNode body) {
    Matcher status = STATUS.matcher(path);
    if (status.matches() && status.group(1).equals(PROJECT) && method.equals("POST")) {
      return status(status.group(2), body);
    }
    Matcher notes = NOTES.matcher(path);
    boolean own =
        notes.matches()
            && notes.group(1).equals(PROJECT)
            && notes.group(2).equals("" + pullRequest());
    if (own && notes.group(3) == null && method.equals("GET")) {
      return list(body);
    }
    if (own && notes.group(3) == null && method.equals("POST")) {
      return make(body.path("body").asText());
    }
    if (own && notes.group(3) != null && method.equals("PUT")) {
      return change(notes.group(3), body.path("body").asText());
    }
    return Answer.of(404, Map.of("message", "404 Project Not Found"));
  }

  private Answer status(String sha, JsonNode body) {
    String word = body.path("state").asText();
    Optional<CommitStatus.State> state = Optional.ofNullable(STATES.get(word));
    String name = body.path("name").asText("default");
    if (state.isEmpty()) {
      return Answer.of(400, Map.of("error", "state does not have a valid value"));
    }
    Optional<CommitStatus.State> before = shown(name);
    if (before.equals(state)
        || (before.isPresent() && before.get() != CommitStatus.State.PENDING)) {
      return Answer.of(
          400,
          Map.of(
              "message",
              "Cannot transition status via :enqueue from :%s (Reason(s): Status cannot transition via \"enqueue\")"
                  .formatted(word)));
    }
    return show(sha, new State(state.get(), word), body, name, MAX_DESCRIPTION);
  }
}
