package dev.slipway.hook.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import dev.slipway.core.Secret;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** GitHub, or Gitea, which differs by its base and its token. */
final class FakeGithub extends FakeGitHost {
  private static final int MAX_DESCRIPTION = 140;
  private static final Set<String> STATES = Set.of("pending", "success", "failure", "error");
  private static final Pattern STATUS = Pattern.compile("/repos/(\\w+/[\\w-]+)/statuses/(\\w+)");
  private static final Pattern COMMENTS =
      Pattern.compile("/repos/(\\w+/[\\w-]+)/issues/(\\d+)/comments");
  private static final Pattern COMMENT =
      Pattern.compile("/repos/(\\w+/[\\w-]+)/issues/comments/(\\d+)");

  private final boolean gitea;

  private FakeGithub(boolean gitea) {
    this.gitea = gitea;
  }

  static FakeGithub github() {
    return new FakeGithub(false);
  }

  static FakeGithub gitea() {
    return new FakeGithub(true);
  }

  @Override
  public GitHostApi api(Secret token) {
    return gitea
        ? GithubApi.ofGitea(base().resolve("/api/v1"), token)
        : GithubApi.ofGithub(base(), token);
  }

  @Override
  boolean isAllowed(HttpExchange exchange) {
    String login = (gitea ? "token " : "Bearer ") + token().reveal();
    // GitHub refuses whoever does not say who he is.
    return login.equals(exchange.getRequestHeaders().getFirst("Authorization"))
        && exchange.getRequestHeaders().containsKey("User-Agent");
  }

  @Override
  Answer answer(String method, String path, JsonNode body) {
    String below = gitea ? path.replaceFirst("^/api/v1", "") : path;
    Matcher status = STATUS.matcher(below);
    if (status.matches() && status.group(1).equals(REPO) && method.equals("POST")) {
      String word = body.path("state").asText();
      return STATES.contains(word)
          ? show(
              status.group(2),
              new State(CommitStatus.State.valueOf(word.toUpperCase(Locale.ROOT)), word),
              body,
              body.path("context").asText("default"),
              MAX_DESCRIPTION)
          : Answer.of(422, Map.of("message", "Validation Failed"));
    }
    Matcher comments = COMMENTS.matcher(below);
    if (comments.matches()
        && comments.group(1).equals(REPO)
        && comments.group(2).equals("" + pullRequest())) {
      return method.equals("GET") ? list(body) : make(body.path("body").asText());
    }
    Matcher comment = COMMENT.matcher(below);
    if (comment.matches() && comment.group(1).equals(REPO) && method.equals("PATCH")) {
      return change(comment.group(2), body.path("body").asText());
    }
    return notFound();
  }
}
