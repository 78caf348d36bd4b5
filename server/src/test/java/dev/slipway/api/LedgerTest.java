package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.account.Account;
import dev.slipway.account.Actor;
import dev.slipway.account.Audit;
import dev.slipway.account.AuditEntry;
import dev.slipway.account.PasswordGate;
import dev.slipway.account.Role;
import dev.slipway.account.Sessions;
import dev.slipway.account.SignedIn;
import dev.slipway.account.TestUsers;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What is written down of who does what, by keys and by users. */
class LedgerTest {
  private static final ApiPlace PLACE = new ApiPlace();
  private static final Sessions SESSIONS =
      new Sessions(PLACE.plane.database, PasswordGate.forCores(), PLACE.plane.clock);
  private static final String PASSWORD = "correct horse";
  private static final LocalApi LOCAL = new Api(PLACE.parts()).local();

  @AfterAll
  static void close() {
    PLACE.close();
  }

  @Test
  void whatAKeyChangesIsWrittenWithTheNameOfTheKey() {
    String project = PLACE.plane.project("by-key").id().value();
    String id =
        PLACE
            .post("/v1/deployments", ApiPlace.json(Map.of("project_id", project)))
            .data()
            .path("id")
            .asText();

    AuditEntry entry = entries(id).getFirst();
    assertThat(entry.action()).isEqualTo("triggerDeployment");
    assertThat(entry.actor()).isEqualTo("test");
    assertThat(entry.byKey()).isTrue();
  }

  @Test
  void whatAUserChangesIsWrittenWithHisAddressAndADeploymentOfHisIsTheDashboards() {
    String project = PLACE.plane.project("by-user").id().value();
    SignedIn member = signIn(Role.MEMBER);
    JsonNode made =
        LOCAL.ask(
            caller(member),
            LocalRequest.of("triggerDeployment").body(body("project_id", project)),
            JsonNode.class);

    String id = made.path("id").asText();
    assertThat(entries(id)).extracting(AuditEntry::actor).containsExactly(member.email());
    assertThat(PLACE.get("/v1/deployments/" + id).data().path("trigger").asText())
        .isEqualTo("dashboard");
  }

  @Test
  void whatIsRefusedIsNotWritten() {
    SignedIn member = signIn(Role.MEMBER);
    String project = PLACE.plane.project("refused").id().value();
    LocalRequest taken =
        LocalRequest.of("updateProject").path("project_id", project).body(body("name", "taken"));
    PLACE.plane.project("taken");

    assertThatThrownBy(() -> LOCAL.tell(caller(member), taken))
        .isInstanceOfSatisfying(
            RequestException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    assertThat(entries(project)).isEmpty();
  }

  @Test
  void aRequestThatIsSentAgainIsWrittenOnce() {
    String project = PLACE.plane.project("again").id().value();
    for (int i = 0; i < 2; i++) {
      PLACE.send(
          "POST",
          "/v1/projects/" + project + "/domains",
          ApiPlace.authorized(PLACE.key)
              .add("Content-Type", "application/json")
              .add("Idempotency-Key", "\"once\""),
          Optional.of("{\"name\": \"again.example.org\"}".getBytes(StandardCharsets.UTF_8)));
    }

    assertThat(all()).filteredOn(it -> it.action().equals("addDomain")).hasSize(1);
  }

  @Test
  void aViewerChangesNothingAndReadsNoSecret() {
    String project = PLACE.plane.project("viewed").id().value();
    Caller viewer = caller(signIn(Role.VIEWER));
    LocalRequest read = LocalRequest.of("getEnvVars").path("project_id", project);

    LOCAL.tell(viewer, read);
    assertForbidden(() -> LOCAL.tell(viewer, read.query("reveal", "true")));
    assertForbidden(
        () -> LOCAL.tell(viewer, LocalRequest.of("deleteProject").path("project_id", project)));
    assertThat(PLACE.get("/v1/projects/" + project).status()).isEqualTo(200);
  }

  @Test
  void whoeverSignedOutAMomentAgoChangesNothing() {
    String project = PLACE.plane.project("left").id().value();
    SignedIn owner = signIn(Role.OWNER);
    SESSIONS.end(owner);

    assertThatThrownBy(() ->
            LOCAL.tell(caller(owner), LocalRequest.of("deleteProject").path("project_id", project)))
        .isInstanceOfSatisfying(
            RequestException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHORIZED));
    assertThat(PLACE.get("/v1/projects/" + project).status()).isEqualTo(200);
  }

  private static SignedIn signIn(Role role) {
    String email = TestUsers.add(PLACE.plane.database, PLACE.plane.account, role, PASSWORD);
    return SESSIONS
        .signIn(email, new Secret(PASSWORD), new Sessions.Visitor("127.0.0.1", "test"))
        .who();
  }

  private static Caller caller(SignedIn who) {
    Account account = who.account();
    return new Caller(account, new Actor.User(who), () -> SESSIONS.lasts(who.session()));
  }

  private static List<AuditEntry> all() {
    return new Audit(PLACE.plane.database, PLACE.plane.clock)
        .list(PLACE.plane.account, Optional.empty(), 1000);
  }

  private static List<AuditEntry> entries(String subject) {
    return all().stream().filter(it -> it.subject().equals(subject)).toList();
  }

  private static ObjectNode body(String field, String value) {
    return JsonNodeFactory.instance.objectNode().put(field, value);
  }

  private static void assertForbidden(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            RequestException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }
}
