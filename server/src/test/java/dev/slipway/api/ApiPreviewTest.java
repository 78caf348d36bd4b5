package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.preview.Preview;
import dev.slipway.preview.PreviewPlace;
import dev.slipway.project.Project;
import dev.slipway.runtime.FakeRuntime;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The resource {@code /projects/{project_id}/previews}, and the variables of previews. */
class ApiPreviewTest {
  private final ApiPlace api = new ApiPlace();
  private final PreviewPlace shop = new PreviewPlace(api.plane, api.plane.project("shop"));

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aPreviewShowsItsPullRequestAndHowFarItIs() {
    Preview live = shop.live(7);
    JsonNode shown = api.get(uri(live)).data();

    assertThat(shown.get("id").asText()).isEqualTo(live.id().value()).startsWith("prv_");
    assertThat(shown.get("project_id").asText()).isEqualTo(shop.project().id().value());
    assertThat(shown.get("number").asInt()).isEqualTo(7);
    assertThat(shown.get("title").asText()).isEqualTo("A cart");
    assertThat(shown.get("author").asText()).isEqualTo("ada");
    assertThat(shown.get("branch").asText()).isEqualTo("cart");
    assertThat(shown.get("base_branch").asText()).isEqualTo("main");
    assertThat(shown.get("repo").asText()).isEqualTo("acme/shop");
    assertThat(shown.get("fork").asBoolean()).isFalse();
    assertThat(shown.get("commit_sha").asText()).isEqualTo(PreviewPlace.FIRST);
    assertThat(shown.get("commit_message").asText()).isEqualTo("Begin");
    assertThat(shown.get("status").asText()).isEqualTo("live");
    assertThat(shown.get("framework").asText()).isEqualTo("node-express");
    assertThat(shown.get("url").asText())
        .matches("http://shop--pr-7-[a-z2-9]{16}\\.localhost:8080");
    assertThat(shown.get("web_url").asText())
        .isEqualTo("https://git.example.org/acme/shop/pulls/7");
    assertThat(shown.get("logs_url").asText())
        .isEqualTo("http://localhost:8080" + uri(live) + "/logs");
    assertThat(shown.has("error")).isFalse();
    assertThat(shown.has("removed_at")).isFalse();
  }

  @Test
  void oneWhoseUpdateFailedSaysWhyAndStillHasItsAddress() {
    Preview live = shop.live(7);
    api.plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    shop.updated(7, PreviewPlace.SECOND);
    api.plane.main.jobs.runDue();

    JsonNode shown = api.get(uri(live)).data();

    assertThat(shown.get("status").asText()).isEqualTo("failed");
    assertThat(shown.at("/error/code").asText()).isEqualTo("start_failed");
    assertThat(shown.has("url")).isTrue();
  }

  @Test
  void theyAreListedNewestFirstInPagesAndByTheirState() {
    for (int number = 1; number <= 3; number++) {
      shop.opened(number);
    }
    api.plane.main.jobs.runDue();
    shop.opened(4);
    shop.closed(2);

    JsonNode first = api.get(list() + "?limit=3").json();
    String cursor = first.at("/pagination/next_cursor").asText();
    assertThat(numbers(first)).containsExactly(4, 3, 2);
    assertThat(numbers(api.get(list() + "?limit=3&cursor=" + cursor).json())).containsExactly(1);
    assertThat(numbers(api.get(list() + "?status=live").json())).containsExactly(3, 1);
    assertThat(numbers(api.get(list() + "?status=queued").json())).containsExactly(4);
    assertThat(numbers(api.get(list() + "?status=removed").json())).containsExactly(2);
    assertThat(numbers(api.get(list() + "?status=failed").json())).isEmpty();
    assertThat(api.get(list() + "?status=gone").status()).isEqualTo(400);
    assertThat(api.get(list() + "?status=live&cursor=" + cursor).code())
        .isEqualTo("invalid_cursor");
  }

  @Test
  void anotherProjectHasItNot() {
    Preview live = shop.live(7);
    Project blog = api.plane.project("blog");
    String there = "/v1/projects/" + blog.id() + "/previews/" + live.id();

    assertThat(api.get(there).status()).isEqualTo(404);
    assertThat(api.get(there + "/logs").status()).isEqualTo(404);
    assertThat(api.call("DELETE", there, "").status()).isEqualTo(404);
    assertThat(api.call("POST", there + "/redeploy", "").status()).isEqualTo(404);
    assertThat(numbers(api.get("/v1/projects/" + blog.id() + "/previews").json())).isEmpty();
  }

  @Test
  void removedByHandItIsGoneUntilTheNextPush() {
    Preview live = shop.live(7);

    ApiPlace.Reply removed = api.call("DELETE", uri(live), "");
    assertThat(removed.data().get("id").asText()).isEqualTo(live.id().value());
    assertThat(removed.data().get("deleted").asBoolean()).isTrue();

    JsonNode shown = api.get(uri(live)).data();
    assertThat(shown.get("status").asText()).isEqualTo("removed");
    assertThat(shown.has("removed_at")).isTrue();
    assertThat(shown.has("url")).isFalse();
    assertThat(api.plane.main.route(live.label().orElseThrow())).isEmpty();
    assertThat(api.call("POST", uri(live) + "/redeploy", "").status()).isEqualTo(409);
    shop.updated(7, PreviewPlace.SECOND);
    assertThat(numbers(api.get(list() + "?status=queued").json())).containsExactly(7);
  }

  @Test
  void deployedAgainItIsBuiltAnew() {
    Preview live = shop.live(7);

    ApiPlace.Reply again = api.call("POST", uri(live) + "/redeploy", "");

    assertThat(again.status()).as(again.body()).isEqualTo(201);
    assertThat(again.data().get("status").asText()).isEqualTo("queued");
    assertThat(again.data().get("commit_sha").asText()).isEqualTo(PreviewPlace.FIRST);
    api.plane.main.jobs.runDue();
    assertThat(api.get(uri(live)).data().get("status").asText()).isEqualTo("live");
    assertThat(shop.deployments(live)).hasSize(2);
  }

  @Test
  void theLogOfItsNewestBuildAndWhatItsProgramPrintsCanBeRead() {
    Preview live = shop.live(7);
    api.plane.main.runtime.print(api.plane.main.runtime.running().iterator().next(), "listening\n");

    JsonNode build = api.get(uri(live) + "/logs").data().get("logs");
    JsonNode program = api.get(uri(live) + "/logs?stream=app").data().get("logs");

    assertThat(build.get(build.size() - 1).get("message").asText())
        .startsWith("Live at http://shop--pr-7-");
    assertThat(program.toString()).contains("listening");
    assertThat(api.get(uri(live) + "/logs?stream=app&limit=1").status()).isEqualTo(400);
  }

  @Test
  void itsVariablesAreShownByNameAndOnlyRevealedInWriting() {
    String uri = "/v1/projects/" + shop.project().id() + "/preview_env_vars";
    assertThat(api.get(uri).data().get("env_vars")).isEmpty();

    api.call("PUT", uri, "{\"env_vars\": {\"COLOUR\": \"red\", \"SIZE\": \"9\"}}");
    JsonNode left = api.call("PATCH", uri, "{\"env_vars\": {\"SIZE\": null}}").data();
    assertThat(left.toString()).isEqualTo("{\"env_vars\":{\"COLOUR\":null}}");
    assertThat(api.plane.count("audit WHERE action = 'preview_env_vars.reveal'")).isZero();
    assertThat(api.get(uri + "?reveal=true").data().at("/env_vars/COLOUR").asText())
        .isEqualTo("red");
    assertThat(api.plane.count("audit WHERE action = 'preview_env_vars.reveal'")).isEqualTo(1);

    JsonNode production =
        api.get("/v1/projects/" + shop.project().id() + "/env_vars?reveal=true").data();
    assertThat(production.toString()).isEqualTo("{\"env_vars\":{\"GREETING\":\"hello\"}}");
  }

  @Test
  void forksAreOffUntilTheProjectSaysOtherwise() {
    String uri = "/v1/projects/" + shop.project().id();
    assertThat(api.get(uri).data().get("preview_forks").asBoolean()).isFalse();

    JsonNode changed = api.call("PATCH", uri, "{\"preview_forks\": true}").data();

    assertThat(changed.get("preview_forks").asBoolean()).isTrue();
    assertThat(api.call("PATCH", uri, "{\"preview_forks\": \"yes\"}").status()).isEqualTo(400);
  }

  private String list() {
    return "/v1/projects/" + shop.project().id() + "/previews";
  }

  private String uri(Preview preview) {
    return list() + "/" + preview.id();
  }

  private static List<Integer> numbers(JsonNode page) {
    return StreamSupport.stream(page.get("data").spliterator(), false)
        .map(preview -> preview.get("number").asInt())
        .toList();
  }
}
