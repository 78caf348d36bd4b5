package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.EnvVars;
import dev.slipway.deployment.Deployment;
import dev.slipway.project.Project;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiListTest {
  private final ApiPlace api = new ApiPlace();
  private final Project shop = api.plane.project("shop");
  private final Project blog = api.plane.project("blog");
  private final String uri = "/v1/deployments?project_id=" + shop.id();
  private List<String> newestFirst = List.of();

  @BeforeAll
  void triggerSome() {
    List<Deployment> made =
        IntStream.range(0, 25).mapToObj(_ -> api.plane.trigger(shop, EnvVars.NONE)).toList();
    newestFirst = made.reversed().stream().map(deployment -> deployment.id().value()).toList();
  }

  @AfterAll
  void close() {
    api.close();
  }

  @Test
  void aListHasTwentyOfTheNewestUnlessAskedOtherwise() {
    ApiPlace.Reply page = api.get(uri);

    assertThat(ids(page)).isEqualTo(newestFirst.subList(0, 20));
    assertThat(page.json().at("/pagination/has_more").asBoolean()).isTrue();
  }

  @Test
  void thePagesTogetherAreTheWholeListInItsOrder() {
    List<String> seen = new ArrayList<>();
    String uri = this.uri + "&status=queued&limit=7";
    String cursor = "";
    int pages = 0;
    do {
      ApiPlace.Reply page = api.get(uri + cursor);
      seen.addAll(ids(page));
      JsonNode next = page.json().at("/pagination/next_cursor");
      assertThat(page.json().at("/pagination/has_more").asBoolean()).isEqualTo(!next.isNull());
      cursor = next.isNull() ? "" : "&cursor=" + next.asText();
      pages++;
    } while (!cursor.isEmpty());

    assertThat(seen).isEqualTo(newestFirst);
    assertThat(pages).isEqualTo(4);
  }

  @Test
  void aFullLastPageHasNoNext() {
    ApiPlace.Reply page = api.get(uri + "&limit=25");

    assertThat(ids(page)).hasSize(25);
    assertThat(page.json().at("/pagination/has_more").asBoolean()).isFalse();
    assertThat(page.json().at("/pagination/next_cursor").isNull()).isTrue();
  }

  @Test
  void theLimitMayChangeBetweenPages() {
    String cursor = cursorOf(uri + "&limit=3");

    assertThat(ids(api.get(uri + "&limit=5&cursor=" + cursor)))
        .isEqualTo(newestFirst.subList(3, 8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "101", "-1", "", "x", "1.5", "1e1", "+5", "%2B5", "99999999999", " 5"})
  void aLimitOutsideOneToAHundredIsRefused(String limit) {
    ApiPlace.Reply refused = api.get("/v1/deployments?limit=" + limit.replace(" ", "%20"));

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_request");
    assertThat(refused.message()).startsWith("limit: ");
  }

  @Test
  void theBoundsOfTheLimitAreTaken() {
    assertThat(ids(api.get(uri + "&limit=1"))).isEqualTo(newestFirst.subList(0, 1));
    assertThat(ids(api.get(uri + "&limit=100"))).hasSize(25);
  }

  @Test
  void aCursorIsGoodForItsFiltersAlone() {
    String cursor = cursorOf("/v1/deployments?project_id=%s&limit=3".formatted(shop.id()));

    for (String uri :
        List.of(
            "/v1/deployments?cursor=",
            "/v1/deployments?project_id=%s&cursor=".formatted(blog.id()),
            "/v1/deployments?project_id=%s&status=queued&cursor=".formatted(shop.id()),
            "/v1/migrations?cursor=")) {
      assertThat(api.get(uri + cursor).code()).as(uri).isEqualTo("invalid_cursor");
    }
    assertThat(
            api.get("/v1/deployments?project_id=%s&cursor=%s".formatted(shop.id(), cursor))
                .status())
        .isEqualTo(200);
  }

  @Test
  void aCursorOfAnotherAccountIsRefused() {
    String cursor = cursorOf("/v1/deployments?limit=3");
    String otherKey = api.addKey(api.plane.addAccount());

    assertThat(api.getAs(otherKey, "/v1/deployments?cursor=" + cursor).code())
        .isEqualTo("invalid_cursor");
  }

  @Test
  void aCursorThatWasAlteredIsRefused() {
    String cursor = cursorOf("/v1/deployments?limit=3");
    char middle = cursor.charAt(cursor.length() / 2);
    String altered =
        cursor.substring(0, cursor.length() / 2)
            + (middle == 'A' ? 'B' : 'A')
            + cursor.substring(cursor.length() / 2 + 1);

    for (String bad : List.of(altered, cursor.substring(4), "", "x", newestFirst.get(3))) {
      ApiPlace.Reply refused = api.get("/v1/deployments?cursor=" + bad);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.code()).as(bad).isEqualTo("invalid_cursor");
    }
  }

  @Test
  void whatComesWhileAClientPagesDoesNotShiftIt() {
    Project project = api.plane.project("busy");
    List<String> before = new ArrayList<>();
    IntStream.range(0, 4)
        .forEach(_ -> before.addFirst(api.plane.trigger(project, EnvVars.NONE).id().value()));
    String uri = "/v1/deployments?project_id=" + project.id() + "&limit=2";
    String cursor = cursorOf(uri);
    api.plane.trigger(project, EnvVars.NONE);

    assertThat(ids(api.get(uri + "&cursor=" + cursor))).isEqualTo(before.subList(2, 4));
  }

  @Test
  void migrationsAreListedLikewise() {
    String other = api.addKey(api.plane.addAccount());
    for (String name : List.of("one", "two", "three")) {
      api.postAs(
          other, "/v1/migrations", "{\"source\": \"github\", \"repo\": \"acme/" + name + "\"}");
    }
    JsonNode all = api.getAs(other, "/v1/migrations").data();
    assertThat(all.findValuesAsText("repo")).containsExactly("acme/three", "acme/two", "acme/one");
    assertThat(all.get(0).has("logs_url")).isFalse();
    assertThat(api.getAs(other, "/v1/migrations?status=processing&limit=1").data()).hasSize(1);
    assertThat(api.getAs(other, "/v1/migrations?status=complete").data()).isEmpty();
  }

  private String cursorOf(String uri) {
    return api.get(uri).json().at("/pagination/next_cursor").asText();
  }

  private static List<String> ids(ApiPlace.Reply page) {
    List<String> ids = new ArrayList<>();
    page.data().forEach(deployment -> ids.add(deployment.get("id").asText()));
    return ids;
  }
}
