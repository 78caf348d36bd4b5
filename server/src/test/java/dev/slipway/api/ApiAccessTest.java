package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.project.Project;
import io.vertx.core.MultiMap;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Who may ask what, beyond what holds for every route ({@link EveryRouteTest}). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiAccessTest {
  private final ApiPlace api = new ApiPlace();
  private final Project project = api.plane.project("blog");
  private final String otherKey = api.addKey(api.plane.addAccount());

  @AfterAll
  void close() {
    api.close();
  }

  @Test
  void theProjectOfAFilterIsCheckedLikeAnyOther() {
    String uri = "/v1/deployments?project_id=";

    assertThat(api.getAs(otherKey, uri + project.id()).status()).isEqualTo(403);
    assertThat(api.get(uri + "prj_unknown").status()).isEqualTo(404);
    assertThat(api.get(uri + project.id()).status()).isEqualTo(200);
  }

  @Test
  void theProjectOfABodyIsCheckedLikeAnyOther() {
    assertThat(api.post("/v1/deployments", "{\"project_id\": \"prj_unknown\"}").status())
        .isEqualTo(404);
  }

  @Test
  void listsShowNothingOfOthers() {
    assertThat(api.getAs(otherKey, "/v1/migrations").data()).isEmpty();
    assertThat(api.getAs(otherKey, "/v1/deployments").data()).isEmpty();
  }

  @Test
  void aRevokedKeyIsRefusedAtOnce() {
    String key = api.addKey(api.plane.account);
    assertThat(api.getAs(key, "/v1/migrations").status()).isEqualTo(200);
    api.plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE api_key SET revoked_at = now() WHERE hash = sha256(convert_to(?, 'UTF8'))",
            key));

    assertThat(api.getAs(key, "/v1/migrations").status()).isEqualTo(401);
  }

  @Test
  void theSchemeIsReadWithoutRegardToCase() {
    MultiMap headers =
        MultiMap.caseInsensitiveMultiMap().add("authorization", "bearer  " + api.key);

    assertThat(api.send("GET", "/v1/migrations", headers, Optional.empty()).status())
        .isEqualTo(200);
  }
}
