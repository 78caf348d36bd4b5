package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each mistake gets its own code and a sentence that says what to do. */
@ExtendWith(SharedSlipway.class)
final class BadInputTest {
  private static final String MIGRATIONS = "/v1/migrations";

  private final SlipwayProcess slipway;
  private final Api api;

  BadInputTest(SlipwayProcess slipway) {
    this.slipway = slipway;
    this.api = slipway.api();
  }

  @Test
  void anUnknownRepository() {
    Deployment failed = slipway.beginMigration("folder", "acme/nothing", Map.of()).first();

    assertFailed(failed, "source_not_found", "acme/nothing");
  }

  @Test
  void anUnknownBranch() {
    Repository repository = slipway.repository();
    repository.commit(ExpressApp.named("branch"));
    String id =
        api.post(
                MIGRATIONS,
                Map.of("source", "folder", "repo", repository.name(), "branch", "nowhere"))
            .get("id")
            .asText();

    assertFailed(
        App.of(slipway, api.get(MIGRATIONS + "/" + id)).first(), "branch_not_found", "main");
    assertThat(api.get(MIGRATIONS + "/" + id).get("status").asText()).isEqualTo("failed");
    assertThat(api.get(MIGRATIONS + "/" + id).get("completed_at").asText()).endsWith("Z");
  }

  @Test
  void anUnknownCommit() {
    App app = slipway.migrate(ExpressApp.named("commit"));
    String sha = "0123456789012345678901234567890123456789";

    assertFailed(app.deployCommit(sha), "commit_not_found", sha);
    assertThat(app.visit().body()).isEqualTo("commit plain");
  }

  @Test
  void aRepositoryThatIsNoApplication() {
    Repository repository = slipway.repository();
    repository.commit(Map.of("README.md", "Only words."));

    assertFailed(
        slipway.beginMigration("folder", repository.name(), Map.of()).first(),
        "framework_not_detected",
        "package.json");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      textBlock =
          """
          `{"source": `,                                                 400, invalid_json,    JSON
          `{"source": "folder", "source": "zip"}`,                       400, invalid_json,    source
          `[]`,                                                          400, invalid_request, object
          `{"repo": "acme/shop"}`,                                       400, invalid_request, source
          `{"source": "folder", "repo": "acme/shop", "brnach": "x"}`,    400, invalid_request, did you mean branch
          `{"source": "folder", "repo": "acme/shop", "branch": 7}`,      400, invalid_request, branch
          `{"source": "folder", "repo": "../../etc"}`,                   400, invalid_request, repo
          `{"source": "folder", "repo": "acme/shop", "branch": "-x"}`,   400, invalid_request, branch
          `{"source": "elsewhere", "repo": "acme/shop"}`,                400, invalid_request, folder
          `{"source": "folder", "repo": "acme/shop", "env_vars": {"A B": "1"}}`, 400, invalid_request, A B
          """)
  void aBodyThatIsWrong(String body, int status, String code, String hint) {
    assertError(api.send(api.json(MIGRATIONS, body)), status, code, hint);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,    /v1/nothing,                              404, not_found",
    "GET,    /nothing,                                 404, not_found",
    "PUT,    /v1/migrations,                           405, method_not_allowed",
    "DELETE, /v1/deployments,                          405, method_not_allowed",
    "GET,    /v1/deployments/dep_nonsense,             404, not_found",
    "GET,    /v1/migrations/%22%3B--,                  404, not_found",
    "GET,    /v1/deployments/dep_nonsense/logs,        404, not_found",
    "POST,   /v1/deployments/dep_nonsense/rollback,    404, not_found",
    "GET,    /v1/deployments?limit=0,                  400, invalid_request",
    "GET,    /v1/deployments?limit=many,               400, invalid_request",
    "GET,    /v1/deployments?statsu=live,              400, invalid_request",
    "GET,    /v1/deployments?status=alive,             400, invalid_request",
    "GET,    /v1/deployments?cursor=forged,            400, invalid_cursor",
    "GET,    /v1/deployments?project_id=prj_nothing,   404, not_found",
    "GET,    /v1/%zz,                                  400, invalid_request",
  })
  void anAddressThatIsWrong(String method, String path, int status, String code) {
    Reply reply = api.sendRaw(method, path);

    assertError(reply, status, code, "");
    if (status == 405) {
      assertThat(reply.header("allow")).isPresent();
    }
  }

  @Test
  void aKeyThatIsMissingOrWrong() {
    assertError(api.send(api.anonymous(MIGRATIONS)), 401, "unauthorized", "Authorization");
    HttpRequest.Builder wrong =
        api.anonymous(MIGRATIONS).header("Authorization", "Bearer " + "x".repeat(40));
    assertError(api.send(wrong), 401, "unauthorized", "unknown or revoked");
  }

  @Test
  void aBodyOfAnotherType() {
    HttpRequest.Builder form =
        api.request(MIGRATIONS)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("source=folder"));

    assertError(api.send(form), 415, "unsupported_media_type", "application/json");
  }

  @Test
  void aBodyThatIsTooLarge() {
    String body = "{\"source\": \"%s\"}".formatted("x".repeat(2 << 20));

    assertError(api.send(api.json(MIGRATIONS, body)), 413, "payload_too_large", "json_bytes");
  }

  @Test
  void aRollbackToWhatNeverServed() {
    Deployment failed = slipway.beginMigration("folder", "acme/nothing", Map.of()).first();
    failed.awaitFailed();

    assertError(
        api.send(api.json("/v1/deployments/" + failed.id() + "/rollback", "")),
        400,
        "rollback_not_allowed",
        "failed");
  }

  private static void assertFailed(Deployment deployment, String code, String hint) {
    deployment.awaitFailed();
    assertThat(deployment.errorCode()).isEqualTo(code);
    assertThat(deployment.errorMessage()).contains(hint);
    assertThat(deployment.log().lines().toList())
        .last()
        .isEqualTo("error " + deployment.errorMessage());
  }

  private static void assertError(Reply reply, int status, String code, String hint) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    assertThat(reply.json().at("/error/code").asText()).isEqualTo(code);
    assertThat(reply.json().at("/error/message").asText()).isNotBlank().contains(hint);
    assertThat(reply.header("x-request-id")).isPresent();
    assertThat(reply.header("content-type")).hasValue("application/json");
  }
}
