package dev.slipway.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tells a project what happens at its git host, as Gitea does.
 *
 * @param path that the host sends to
 */
record GitHook(SlipwayProcess slipway, String path, String secret) {
  /** With a secret that is made for it. */
  static GitHook of(SlipwayProcess slipway, String project) {
    Reply made =
        slipway
            .api()
            .send(slipway.api().json("/v1/projects/%s/hook_secret".formatted(project), ""));
    return new GitHook(
        slipway, "/hooks/git/" + project, made.json().get("data").get("secret").asText());
  }

  /**
   * A pull request is opened, for the newest commit.
   *
   * @param author who has opened it, and what he calls it
   * @return the id of its preview
   */
  String opened(Repository repository, int number, String author) {
    ObjectNode message = JsonNodeFactory.instance.objectNode();
    message.put("action", "opened").put("number", number);
    message.putObject("repository").put("full_name", repository.name());
    ObjectNode pull = message.putObject("pull_request");
    pull.put("number", number).put("title", author);
    pull.put(
        "html_url", "https://git.example.org/%s/pulls/%d".formatted(repository.name(), number));
    pull.putObject("user").put("login", author);
    branch(pull.putObject("base"), repository);
    branch(pull.putObject("head"), repository);
    return tell("pull_request", message).get("preview_id").asText();
  }

  private static void branch(ObjectNode end, Repository repository) {
    end.put("ref", "main").put("sha", repository.head());
    end.putObject("repo").put("full_name", repository.name());
  }

  private JsonNode tell(String event, JsonNode message) {
    String body = message.toString();
    Reply answer =
        slipway
            .api()
            .send(
                slipway
                    .api()
                    .anonymous(path)
                    .header("Content-Type", "application/json")
                    .header("X-Gitea-Event", event)
                    .header("X-Gitea-Delivery", UUID.randomUUID().toString())
                    .header("X-Gitea-Signature", sign(body))
                    .POST(HttpRequest.BodyPublishers.ofString(body)));
    if (answer.status() != 200) {
      throw new AssertionError("%s was answered %s".formatted(event, answer));
    }
    return answer.json().get("data");
  }

  private String sign(String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
