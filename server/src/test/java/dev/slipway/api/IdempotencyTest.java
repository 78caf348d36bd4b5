package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AtOnce;
import dev.slipway.core.Eventually;
import dev.slipway.project.Project;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that is sent twice with one key is carried out once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdempotencyTest {
  private final ApiPlace api = new ApiPlace();
  private final Project shop = api.plane.project("shop");
  private final String body = "{\"project_id\": \"%s\"}".formatted(shop.id());

  @AfterAll
  void close() {
    api.close();
  }

  @Test
  void theSecondRequestGetsTheFirstAnswer() {
    String key = newKey();
    int before = api.plane.count("deployment");

    ApiPlace.Reply first = trigger(key, body);
    ApiPlace.Reply second = trigger(key, body);

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.headers().contains("Idempotency-Replayed")).isFalse();
    assertThat(second.status()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.headers().get("Idempotency-Replayed")).isEqualTo("true");
    assertThat(second.headers().get("X-Request-Id"))
        .isNotEqualTo(first.headers().get("X-Request-Id"));
    assertThat(api.plane.count("deployment")).isEqualTo(before + 1);
  }

  @Test
  void aQuotedKeyIsTheSameAsAPlainOne() {
    String key = newKey();

    assertThat(trigger("\"" + key + "\"", body).body()).isEqualTo(trigger(key, body).body());
  }

  @Test
  void anotherBodyIsAMismatchAndChangesNothing() {
    String key = newKey();
    ApiPlace.Reply first = trigger(key, body);
    int before = api.plane.count("deployment");

    ApiPlace.Reply other =
        trigger(key, "{\"project_id\": \"%s\", \"env_vars\": {}}".formatted(shop.id()));

    assertThat(other.status()).isEqualTo(422);
    assertThat(other.code()).isEqualTo("idempotency_mismatch");
    assertThat(trigger(key, body).body()).isEqualTo(first.body());
    assertThat(api.plane.count("deployment")).isEqualTo(before);
  }

  @Test
  void aRefusalIsKeptToo() {
    for (String wrong : List.of("{\"project_id\": \"prj_unknown\"}", "{", "{}")) {
      String key = newKey();
      ApiPlace.Reply first = trigger(key, wrong);
      ApiPlace.Reply second = trigger(key, wrong);

      assertThat(first.status()).isBetween(400, 404);
      assertThat(second.body()).isEqualTo(first.body());
      assertThat(second.headers().get("Idempotency-Replayed")).isEqualTo("true");
      assertThat(trigger(key, body).status()).isEqualTo(422);
    }
  }

  @Test
  void aRollbackIsCarriedOutOnceToo() {
    Project project = api.plane.project("blog");
    String uri = "/v1/deployments/" + api.plane.deploy(project).id() + "/rollback";
    String key = newKey();

    ApiPlace.Reply first = send(api.key, uri, key, "");
    ApiPlace.Reply second = send(api.key, uri, key, "");

    assertThat(first.status()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(api.get("/v1/deployments?project_id=" + project.id()).data()).hasSize(2);
  }

  @Test
  void aKeyCountsForOneAccountAndPathAlone() {
    String key = newKey();
    ApiPlace.Reply first = trigger(key, body);
    String stranger = api.addKey(api.plane.addAccount());

    assertThat(send(stranger, "/v1/deployments", key, body).status()).isEqualTo(403);
    ApiPlace.Reply elsewhere =
        send(api.key, "/v1/migrations", key, "{\"source\": \"github\", \"repo\": \"acme/x\"}");
    assertThat(elsewhere.status()).isEqualTo(201);
    assertThat(trigger(key, body).body()).isEqualTo(first.body());
  }

  @Test
  void ofManyAtOnceOneIsCarriedOut() throws Exception {
    String key = newKey();
    int before = api.plane.count("deployment");

    List<ApiPlace.Reply> replies = AtOnce.run(40, () -> trigger(key, body));

    // None need meet another that is under way.
    assertThat(replies).extracting(ApiPlace.Reply::status).isSubsetOf(201, 409);
    assertThat(
            replies.stream()
                .filter(reply -> reply.status() == 201)
                .map(ApiPlace.Reply::body)
                .distinct())
        .hasSize(1);
    assertThat(api.plane.count("deployment")).isEqualTo(before + 1);
  }

  @Test
  void whileTheFirstIsUnderWayASecondIsToldSo() throws Exception {
    String key = newKey();
    String migrate = "{\"source\": \"github\", \"repo\": \"acme/slow\"}";
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<ApiPlace.Reply> first =
          api.plane.database.inTransaction(tx -> {
            tx.execute("SELECT 1 FROM account WHERE id = ? FOR UPDATE", api.plane.account.value());
            Future<ApiPlace.Reply> begun =
                thread.submit(() -> send(api.key, "/v1/migrations", key, migrate));
            Eventually.holds("the first is under way", this::isClaimed);
            assertThat(send(api.key, "/v1/migrations", key, migrate).code())
                .isEqualTo("idempotency_in_progress");
            return begun;
          });
      assertThat(first.get().status()).isEqualTo(201);
      assertThat(send(api.key, "/v1/migrations", key, migrate).body())
          .isEqualTo(first.get().body());
    }
  }

  @Test
  void whatFailsForNowLeavesNothingAndIsCarriedOutTheNextTime() {
    String key = newKey();
    int before = api.plane.count("deployment");
    execute("ALTER TABLE kept_answer RENAME COLUMN answer TO away");
    try {
      assertThat(trigger(key, body).status()).isEqualTo(500);
      assertThat(api.plane.count("deployment")).isEqualTo(before);
    } finally {
      execute("ALTER TABLE kept_answer RENAME COLUMN away TO answer");
    }

    assertThat(trigger(key, body).status()).isEqualTo(201);
    assertThat(api.plane.count("deployment")).isEqualTo(before + 1);
  }

  @Test
  void afterADayItIsANewRequest() {
    String key = newKey();
    ApiPlace.Reply first = trigger(key, body);
    api.plane.clock.advance(Duration.ofHours(24));

    ApiPlace.Reply later = trigger(key, body);

    assertThat(later.status()).isEqualTo(201);
    assertThat(later.body()).isNotEqualTo(first.body());
    api.plane.clock.advance(Duration.ofHours(24));
    new Idempotency(api.plane.database, api.plane.vault, api.plane.clock).forgetOld();
    assertThat(api.plane.count("kept_answer")).isZero();
  }

  @Test
  void keptAnswersAreSealed() {
    trigger(newKey(), body);

    String stored =
        api.plane.database.read(tx ->
            tx.createQuery("SELECT string_agg(encode(answer, 'escape'), ' ') FROM kept_answer")
                .mapTo(String.class)
                .one());
    assertThat(stored).doesNotContain("project_id").doesNotContain(shop.id().value());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"\"", "\"open", "two words", "\"tab\\x\"", "k\u00e9y"})
  void aMalformedKeyIsRefusedTogetherWithTheOtherFaults(String key) {
    ApiPlace.Reply refused = trigger(key, "{\"comit_sha\": \"x\"}");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message())
        .contains("Idempotency-Key: must be one key of 1 to 255")
        .contains("comit_sha: is not known; did you mean commit_sha?")
        .contains("project_id: is required");
  }

  @Test
  void aKeyHasAtMost255Characters() {
    assertThat(trigger("k".repeat(255), body).status()).isEqualTo(201);
    assertThat(trigger("\"" + "q".repeat(253) + "\"", body).status()).isEqualTo(201);
    assertThat(trigger("k".repeat(256), body).status()).isEqualTo(400);
  }

  private ApiPlace.Reply trigger(String key, String json) {
    return send(api.key, "/v1/deployments", key, json);
  }

  private ApiPlace.Reply send(String apiKey, String uri, String key, String json) {
    MultiMap headers =
        ApiPlace.authorized(apiKey)
            .add("Content-Type", "application/json")
            .add("Idempotency-Key", key);
    return api.send("POST", uri, headers, Optional.of(json.getBytes(StandardCharsets.UTF_8)));
  }

  private boolean isClaimed() {
    return api.plane.database.readCommitted(tx ->
        tx.createQuery(
                "SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database d ON d.oid = database"
                    + " WHERE locktype = 'advisory' AND datname = current_database())")
            .mapTo(Boolean.class)
            .one());
  }

  private void execute(String sql) {
    api.plane.database.useTransaction(tx -> tx.execute(sql));
  }

  private static String newKey() {
    return UUID.randomUUID().toString();
  }
}
