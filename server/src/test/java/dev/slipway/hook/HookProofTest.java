package dev.slipway.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AtOnce;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.deployment.Plane;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose messages are taken, each once, and what cannot be read. */
class HookProofTest {
  private static final byte[] PUSH = HostMessages.body("github/push");
  private static final byte[] GITLAB_PUSH = HostMessages.body("gitlab/push");
  private static final byte[] GITEA_PUSH = HostMessages.body("gitea/push");

  private final Plane plane = new Plane();
  private final Project project = plane.project("shop");
  private final Secret secret = plane.main.hooks.renewSecret(plane.account, project.id());

  @AfterEach
  void close() {
    plane.close();
  }

  private static Stream<HookRequest> signedWith(Secret secret) {
    return Stream.of(
        HostMessages.github("push", PUSH, secret),
        HostMessages.githubForm("push", PUSH, secret),
        HostMessages.gitlab("Push Hook", GITLAB_PUSH, secret),
        HostMessages.gitea("push", GITEA_PUSH, secret),
        HostMessages.forgejo("push", GITEA_PUSH, secret));
  }

  @Test
  void aMessageThatIsSignedWithAnotherSecretIsRefused() {
    signedWith(new Secret("whsec_" + "A".repeat(43) + "=")).forEach(this::assertUnauthorized);
  }

  @Test
  void aSecretOfLettersMoreOrLessIsAnotherOne() {
    String own = secret.reveal();
    for (String near :
        List.of(own + "x", own.substring(0, own.length() - 1), own.toUpperCase(Locale.ROOT))) {
      signedWith(new Secret(near)).forEach(this::assertUnauthorized);
    }
  }

  @Test
  void anEarlierSecretDoesNotCountAnyMore() {
    var _ = plane.main.hooks.renewSecret(plane.account, project.id());

    signedWith(secret).forEach(this::assertUnauthorized);
  }

  @Test
  void theSecretOfAnotherProjectIsAnotherOne() {
    Project other = plane.project("blog");

    signedWith(plane.main.hooks.renewSecret(plane.account, other.id()))
        .forEach(this::assertUnauthorized);
  }

  @Test
  void withoutASecretEverythingIsRefusedAnEmptyOneToo() {
    plane.database.useTransaction(tx -> tx.execute("UPDATE project SET hook_secret = NULL"));

    signedWith(secret).forEach(this::assertUnauthorized);
    HookRequest empty =
        HostMessages.with(
            HostMessages.gitlab("Push Hook", GITLAB_PUSH, secret), "X-Gitlab-Token", "");
    assertUnauthorized(empty);
    assertThatThrownBy(() -> plane.main.hooks.receive(project.id(), empty))
        .hasMessageContaining("has no hook secret");
  }

  @Test
  void aMissingOrEmptySignatureIsRefused() {
    String[] proofs = {
      "X-Hub-Signature-256",
      "X-Gitlab-Token",
      "X-Gitea-Signature",
      "X-Forgejo-Signature",
      "webhook-signature"
    };
    signedWith(secret)
        .forEach(message -> {
          assertUnauthorized(HostMessages.without(message, proofs));
          HookRequest emptied = message;
          for (String proof : proofs) {
            emptied = HostMessages.with(emptied, proof, "");
          }
          assertUnauthorized(emptied);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"sha256=", "sha256=00", "sha1=00", "00", "sha256=zz", "null"})
  void aSignatureThatIsNoneIsRefused(String signature) {
    assertUnauthorized(
        HostMessages.with(
            HostMessages.github("push", PUSH, secret), "X-Hub-Signature-256", signature));
    assertUnauthorized(
        HostMessages.with(
            HostMessages.gitea("push", GITEA_PUSH, secret), "X-Gitea-Signature", signature));
  }

  @Test
  void aMessageThatWasChangedOnTheWayIsRefused() {
    HookRequest sent = HostMessages.github("push", PUSH, secret);
    byte[] changed = sent.body().clone();
    changed[changed.length - 2] = ' ';

    assertUnauthorized(new HookRequest(sent.headers(), changed));
  }

  @Test
  void whatNoGitHostSendsIsRefused() {
    assertUnauthorized(
        HostMessages.without(HostMessages.github("push", PUSH, secret), "X-GitHub-Event"));
  }

  @Test
  void anUnknownAndADeletedProjectAreNotFound() {
    HookRequest message = HostMessages.github("push", PUSH, secret);
    assertRefused(ErrorCode.NOT_FOUND, ProjectId.next(), message);
    plane.main.projects.delete(plane.account, project.id(), false);

    assertRefused(ErrorCode.NOT_FOUND, project.id(), message);
  }

  @Test
  void theRowBehindAPreviewIsNotFoundEither() {
    Project hidden = plane.project("hidden");
    Secret known = plane.main.hooks.renewSecret(plane.account, hidden.id());
    plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE project SET preview_of = ? WHERE id = ?",
            project.id().value(),
            hidden.id().value()));

    assertRefused(ErrorCode.NOT_FOUND, hidden.id(), HostMessages.github("push", PUSH, known));
  }

  @Test
  void whatGitlabSignsIsTakenAndItsTokenDoesNotMatterThen() {
    HookRequest signed = gitlabSigned("one", Duration.ZERO);
    assertUnauthorized(
        HostMessages.with(
            HostMessages.with(signed, "webhook-signature", "v1,AAAA"),
            "X-Gitlab-Token",
            secret.reveal()));

    assertThat(receive(signed).outcome()).isEqualTo(Outcome.DEPLOYED);
  }

  @Test
  void aSignedMessageIsTakenForFiveMinutesAndUnderItsOwnIdAlone() {
    assertUnauthorized(gitlabSigned("one", Duration.ofMinutes(6)));
    assertUnauthorized(gitlabSigned("one", Duration.ofMinutes(-6)));
    assertUnauthorized(HostMessages.with(gitlabSigned("one", Duration.ZERO), "webhook-id", "two"));
    assertUnauthorized(
        HostMessages.with(gitlabSigned("one", Duration.ZERO), "webhook-timestamp", "soon"));

    assertThat(receive(gitlabSigned("one", Duration.ofMinutes(4))).outcome())
        .isEqualTo(Outcome.DEPLOYED);
  }

  private HookRequest gitlabSigned(String id, Duration ago) {
    return HostMessages.gitlabSigned(
        "Push Hook", GITLAB_PUSH, secret, id, plane.clock.instant().minus(ago));
  }

  @Test
  void twoSignedMessagesWithOneBodyAreTwo() {
    var _ = receive(gitlabSigned("one", Duration.ZERO));
    var _ = receive(gitlabSigned("two", Duration.ZERO));
    var _ = receive(gitlabSigned("two", Duration.ofSeconds(9)));

    assertThat(list()).hasSize(2);
  }

  @Test
  void aMessageThatComesAgainIsAnsweredAsTheFirstTimeAndDoesNothing() {
    signedWith(secret)
        .limit(1)
        .forEach(message -> {
          HookDelivery first = receive(message);

          assertThat(receive(message)).isEqualTo(first);
          assertThat(list()).containsExactly(first);
          assertThat(plane.count("deployment")).isOne();
        });
  }

  @Test
  void soIsOneThatComesAgainUnderAnotherId() {
    HookDelivery first = receive(HostMessages.github("push", PUSH, secret));

    HookDelivery again =
        receive(
            HostMessages.with(
                HostMessages.github("push", PUSH, secret),
                "X-GitHub-Delivery",
                UUID.randomUUID().toString()));
    HookDelivery nameless =
        receive(
            HostMessages.without(HostMessages.github("push", PUSH, secret), "X-GitHub-Delivery"));

    assertThat(again).isEqualTo(first);
    assertThat(nameless).isEqualTo(first);
    assertThat(plane.count("deployment")).isOne();
  }

  @Test
  void ofAMessageThatComesManyTimesAtOnceOneIsTaken() throws Exception {
    HookRequest message = HostMessages.github("push", PUSH, secret);

    List<HookDelivery> all = AtOnce.run(20, () -> receive(message));

    assertThat(all.stream().distinct()).hasSize(1);
    assertThat(plane.count("deployment")).isOne();
  }

  @Test
  void twoProjectsOfOneRepositoryTakeTheSameMessage() {
    Project other = plane.project("shop-too");
    Secret otherSecret = plane.main.hooks.renewSecret(plane.account, other.id());
    plane.database.useTransaction(tx -> tx.execute("UPDATE project SET repo = 'acme/shop'"));

    var _ = receive(HostMessages.github("push", PUSH, secret));
    var _ = plane.main.hooks.receive(other.id(), HostMessages.github("push", PUSH, otherSecret));

    assertThat(plane.count("deployment")).isEqualTo(2);
  }

  @Test
  void whatWasTakenIsForgottenAfterThirtyDays() {
    var _ = receive(HostMessages.github("push", PUSH, secret));
    plane.clock.advance(Duration.ofDays(29));
    plane.main.hooks.forgetOld();
    assertThat(list()).hasSize(1);

    plane.clock.advance(Duration.ofDays(2));
    plane.main.hooks.forgetOld();

    assertThat(list()).isEmpty();
  }

  @Test
  void itGoesWithItsProject() {
    var _ = receive(HostMessages.github("push", PUSH, secret));
    plane.main.projects.delete(plane.account, project.id(), false);
    plane.main.jobs.runDue();

    plane.clock.advance(Duration.ofDays(31));
    plane.main.jobs.runDue();

    assertThat(plane.count("project")).isZero();
    assertThat(plane.count("hook_delivery")).isZero();
  }

  static Stream<byte[]> unreadable() {
    return Stream.of(
            "",
            "{",
            "null",
            "[]",
            "\"push\"",
            "{\"ref\": \"refs/heads/main\"} {}",
            "payload=%7B%7D",
            "[".repeat(100_000),
            "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000),
            "{\"ref\":\"refs/heads/ma\\u0000in\",\"before\":\"1\",\"after\":\"2\",\"repository\":{\"full_name\":\"acme/shop\"}}",
            "{\"ref\":\"refs/heads/\\ud83d\",\"before\":\"1\",\"after\":\"2\",\"repository\":{\"full_name\":\"acme/shop\"}}")
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void garbageIsRefusedHoweverWellItIsSigned(byte[] body) {
    assertRefused(ErrorCode.INVALID_JSON, project.id(), HostMessages.github("push", body, secret));
    assertThat(list()).isEmpty();
  }

  @Test
  void bytesThatAreNoTextAreRefused() {
    byte[] body = {'{', '"', (byte) 0xff, (byte) 0xfe, '"', ':', '1', '}'};

    assertRefused(ErrorCode.INVALID_JSON, project.id(), HostMessages.github("push", body, secret));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ref", "before", "after", "repository"})
  void aMessageThatLacksWhatHostsSendSaysWhat(String field) {
    String text =
        new String(PUSH, StandardCharsets.UTF_8).replace("\"" + field + "\"", "\"nothing\"");
    HookRequest message =
        HostMessages.github("push", text.getBytes(StandardCharsets.UTF_8), secret);

    assertRefused(ErrorCode.INVALID_REQUEST, project.id(), message);
    assertThatThrownBy(() -> receive(message)).hasMessageContaining(field);
  }

  private HookDelivery receive(HookRequest message) {
    return plane.main.hooks.receive(project.id(), message);
  }

  private void assertUnauthorized(HookRequest message) {
    assertRefused(ErrorCode.UNAUTHORIZED, project.id(), message);
    assertThat(plane.count("hook_delivery")).isZero();
  }

  private void assertRefused(ErrorCode code, ProjectId id, HookRequest message) {
    assertThatThrownBy(() -> plane.main.hooks.receive(id, message))
        .as("%s", Arrays.toString(message.headers().entrySet().toArray()))
        .isInstanceOfSatisfying(RequestException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private List<HookDelivery> list() {
    return plane.main.hooks.list(plane.account, project.id(), Optional.empty(), 100);
  }
}
