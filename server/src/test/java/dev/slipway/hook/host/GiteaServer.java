package dev.slipway.hook.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.core.Secret;
import dev.slipway.source.RepoName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A Gitea that the system properties name. */
final class GiteaServer implements GitHostPlace {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI base = URI.create(System.getProperty("gitea.url") + "/api/v1");

  @Override
  public GitHostApi api(Secret token) {
    return GithubApi.ofGitea(base, token);
  }

  @Override
  public Secret token() {
    return new Secret(System.getProperty("gitea.token"));
  }

  @Override
  public RepoName repo() {
    return new RepoName(System.getProperty("gitea.repo"));
  }

  @Override
  public String commit() {
    return System.getProperty("gitea.commit");
  }

  @Override
  public int pullRequest() {
    return Integer.getInteger("gitea.pull", 1);
  }

  @Override
  public List<Shown> statuses() {
    List<Shown> all = new ArrayList<>();
    for (JsonNode it : ask("GET", "/commits/" + commit() + "/status").path("statuses")) {
      all.add(
          new Shown(
              CommitStatus.State.valueOf(it.path("status").asText().toUpperCase(Locale.ROOT)),
              it.path("context").asText(),
              it.path("description").asText(),
              it.path("target_url").asText()));
    }
    return all;
  }

  @Override
  public List<Said> comments() {
    List<Said> all = new ArrayList<>();
    for (JsonNode it : ask("GET", "/issues/" + pullRequest() + "/comments")) {
      all.add(new Said(it.path("id").asText(), it.path("body").asText()));
    }
    return all;
  }

  @Override
  public void delete(Said comment) {
    var _ = ask("DELETE", "/issues/comments/" + comment.id());
  }

  private JsonNode ask(String method, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + "/repos/" + repo() + path))
            .header("Authorization", "token " + token().reveal())
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    try {
      return JSON.readTree(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
