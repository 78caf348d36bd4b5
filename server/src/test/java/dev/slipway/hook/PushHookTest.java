package dev.slipway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.deployment.Plane;
import dev.slipway.deployment.Trigger;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pushes do, with messages as the hosts' documentation shows them. */
class PushHookTest {
  private static final Pattern SHA_BEFORE = Pattern.compile("\"before\": ?\"([0-9a-f]+)\"");
  private static final String BEFORE = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";
  private static final String PUSHED = "2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e";
  private static final String FORCED = "3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f";

  private final Plane plane = new Plane();
  private final Project project = plane.project("shop");
  private final Secret secret = plane.main.hooks.renewSecret(plane.account, project.id());

  @AfterEach
  void close() {
    plane.close();
  }

  /** A push of two commits to the project's branch, of each host. */
  enum Host {
    GITHUB {
      @Override
      HookRequest push(String file, Secret secret) {
        return HostMessages.github("push", HostMessages.body("github/" + file), secret);
      }
    },
    GITHUB_FORM {
      @Override
      HookRequest push(String file, Secret secret) {
        return HostMessages.githubForm("push", HostMessages.body("github/" + file), secret);
      }
    },
    GITLAB {
      @Override
      HookRequest push(String file, Secret secret) {
        return HostMessages.gitlab("Push Hook", HostMessages.body("gitlab/" + file), secret);
      }
    },
    GITEA {
      @Override
      HookRequest push(String file, Secret secret) {
        return HostMessages.gitea("push", HostMessages.body("gitea/" + file), secret);
      }
    },
    FORGEJO {
      @Override
      HookRequest push(String file, Secret secret) {
        return HostMessages.forgejo("push", HostMessages.body("gitea/" + file), secret);
      }
    };

    abstract HookRequest push(String file, Secret secret);
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void aPushToTheBranchDeploysExactlyWhatWasPushed(Host host) {
    HookDelivery taken = receive(host.push("push", secret));

    assertThat(taken.outcome()).isEqualTo(Outcome.DEPLOYED);
    Deployment deployment = plane.read(taken.deploymentId().orElseThrow());
    assertThat(deployment.status()).isEqualTo(DeploymentStatus.QUEUED);
    assertThat(deployment.origin().trigger()).isEqualTo(Trigger.PUSH);
    assertThat(deployment.code().branch()).contains("main");
    assertThat(deployment.code().requestedSha()).contains(PUSHED);
    assertThat(taken.reason())
        .isEqualTo("Commit 2b3c4d5 of main is deployed by %s.".formatted(deployment.id()));
    plane.main.jobs.runDue();
    assertThat(plane.read(deployment).status()).isEqualTo(DeploymentStatus.LIVE);
  }

  static Stream<Host> hosts() {
    return Stream.of(Host.values());
  }

  @Test
  void theNameOfTheRepositoryIsComparedWithoutRegardToCase() {
    assertThat(receive(github("push", edited("github/push", "acme/shop", "Acme/Shop"))).outcome())
        .isEqualTo(Outcome.DEPLOYED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "push-other-branch | The push was to next; only one to the branch main deploys.",
        "push-tag | A tag was pushed; only a push to the branch main deploys.",
        "push-deleted | The branch main was deleted; what serves stays.",
        "push-skip | The message of commit 2b3c4d5 says [Skip CI].",
      })
  void whatDeploysNothingSaysWhy(String file, String reason) {
    HookDelivery taken = receive(github("push", HostMessages.body("github/" + file)));

    assertIgnored(taken, reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Push Hook | push-deleted | The branch main was deleted; what serves stays.",
        "Tag Push Hook | push-tag | A tag was pushed; only a push to the branch main deploys.",
      })
  void soDoesWhatGitlabSends(String event, String file, String reason) {
    HookRequest message = HostMessages.gitlab(event, HostMessages.body("gitlab/" + file), secret);

    assertIgnored(receive(message), reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "push | push-test | A test of the git host: nothing was pushed.",
        "push | push-tag | A tag was pushed; only a push to the branch main deploys.",
        "push | push-other-branch | The push was to empty-cart; only one to the branch main deploys.",
        "create | create-tag | The event create is none that deploys; push and pull_request are.",
        "delete | delete-branch | The event delete is none that deploys; push and pull_request are.",
      })
  void soDoesWhatGiteaSends(String event, String file, String reason) {
    HookRequest message = HostMessages.gitea(event, HostMessages.body("gitea/" + file), secret);

    assertIgnored(receive(message), reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[skip ci]", "[CI SKIP]", "[Skip Deploy]", "[no ci]"})
  void thereAreFourWaysToAskForNothing(String words) {
    byte[] body = edited("github/push", "The cart keeps its order", "The cart " + words);

    assertIgnored(
        receive(github("push", body)), "The message of commit 2b3c4d5 says %s.".formatted(words));
  }

  @Test
  void aPingIsAnsweredAndListed() {
    HookDelivery taken = receive(github("ping", HostMessages.body("github/ping")));

    assertThat(taken.outcome()).isEqualTo(Outcome.PING);
    assertThat(list()).containsExactly(taken);
  }

  @Test
  void anotherRepositoryIsNamed() {
    byte[] body = edited("github/push", "acme/shop", "acme/blog");

    assertIgnored(
        receive(github("push", body)),
        "The push was to acme/blog; the project comes from acme/shop.");
  }

  @Test
  void whileAutoDeployIsOffNothingIsDeployed() {
    change("auto_deploy = false");

    HookDelivery taken = receive(push());

    assertThat(taken.outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(taken.reason()).startsWith("auto_deploy of the project is off");
  }

  @Test
  void aRollbackPausesIt() {
    Deployment first = plane.deploy(project);
    var _ = plane.deploy(project);
    var _ = plane.rolledBackTo(first);

    assertThat(receive(push()).outcome()).isEqualTo(Outcome.IGNORED);
  }

  @Test
  void aCommitThatServesIsNotDeployedOnceMore() {
    Deployment live = plane.deploy(project);
    plane.database.useTransaction(tx ->
        tx.execute("UPDATE deployment SET commit_sha = ? WHERE id = ?", PUSHED, live.id().value()));

    assertIgnored(receive(push()), "Commit 2b3c4d5 serves already.");
  }

  @Test
  void ofPushesThatWaitTheNewestAloneIsBuilt() {
    DeploymentId first = deployed(receive(github("push", created())));
    Deployment asked = plane.trigger(project);
    DeploymentId second = deployed(receive(push()));
    DeploymentId third = deployed(receive(github("push", HostMessages.body("github/push-forced"))));

    for (DeploymentId earlier : List.of(first, second)) {
      Deployment superseded = plane.read(earlier);
      assertThat(superseded.status()).isEqualTo(DeploymentStatus.FAILED);
      assertThat(superseded.failure().orElseThrow().code()).isEqualTo(FailureCode.SUPERSEDED);
      assertThat(plane.lastLine(superseded).message()).startsWith("A later push");
    }
    plane.main.jobs.runDue();
    assertThat(plane.read(asked).status()).isEqualTo(DeploymentStatus.LIVE);
    assertThat(plane.read(third).status()).isEqualTo(DeploymentStatus.LIVE);
    assertThat(plane.read(third).code().requestedSha()).contains(FORCED);
  }

  @Test
  void oneThatIsBeingBuiltIsNotEndedByALaterOne() {
    DeploymentId first = deployed(receive(github("push", created())));
    begin(first);

    var _ = deployed(receive(push()));

    assertThat(plane.read(first).status()).isEqualTo(DeploymentStatus.BUILDING);
  }

  @Test
  void aPushThatWasOvertakenByTheNextOneIsNotDeployedAfterIt() {
    var _ = deployed(receive(push()));

    assertThat(receive(github("push", created())).reason())
        .isEqualTo("A later push to main was told of before this one; that one counts.");
    assertThat(plane.count("deployment")).isOne();
  }

  @Test
  void goingBackToAnEarlierCommitIsAPushLikeAnyOther() {
    var _ = deployed(receive(github("push", created())));
    var _ = deployed(receive(push()));
    byte[] back =
        text("github/push-forced")
            .replace(PUSHED, "B")
            .replace(FORCED, BEFORE)
            .replace("B", PUSHED)
            .getBytes(StandardCharsets.UTF_8);

    DeploymentId third = deployed(receive(github("push", back)));

    assertThat(plane.read(third).code().requestedSha()).contains(BEFORE);
  }

  @ParameterizedTest
  @CsvSource({
    "apps/web, GITHUB, push, DEPLOYED",
    "apps/admin, GITHUB, push, IGNORED",
    "./apps/admin/, GITHUB, push, IGNORED",
    "apps/we, GITHUB, push, IGNORED",
    "., GITHUB, push, DEPLOYED",
    "apps/web, GITHUB, push-forced, DEPLOYED",
    "apps/web, GITHUB, push-created, DEPLOYED",
    "apps/web, GITLAB, push, DEPLOYED",
    "apps/web, GITLAB, push-docs, IGNORED",
    "apps/web, GITLAB, push-many, DEPLOYED",
    "apps/web, GITLAB, push-moved, DEPLOYED",
    "apps/web, GITEA, push, DEPLOYED",
    "apps/web, GITEA, push-docs, IGNORED",
    "apps/web, GITEA, push-many, DEPLOYED",
    "apps/web, GITEA, push-moved, DEPLOYED",
    "apps/web, GITEA, push-merge, DEPLOYED",
    "apps/web, GITEA, push-created, DEPLOYED",
    "apps/admin, GITEA, push-merge, IGNORED",
  })
  void aPushThatIsKnownToChangeNothingBelowTheRootDirectoryDeploysNothing(
      String directory, Host host, String file, Outcome outcome) {
    change("root_directory = '" + directory + "'");
    HookRequest message = host.push(file, secret);
    serves(before(message));

    HookDelivery taken = receive(message);

    assertThat(taken.outcome()).as(taken.reason()).isEqualTo(outcome);
    if (outcome == Outcome.IGNORED) {
      assertThat(taken.reason())
          .startsWith("There is nothing to do: the push changed no file below apps/");
    }
  }

  /** Its message was lost, it was skipped, or its build failed. */
  @Test
  void aChangeThatWasNotDeployedIsDeployedWithTheNextPushWhateverThatChanges() {
    change("root_directory = 'apps/admin'");
    serves(FORCED);

    var _ = deployed(receive(push()));
  }

  @Test
  void ofSeveralPushesThatChangeNothingEachIsNothingToDo() {
    change("root_directory = 'apps/admin'");
    serves(BEFORE);
    var first = receive(push());
    byte[] next =
        text("github/push")
            .replace(PUSHED, FORCED)
            .replace(BEFORE, PUSHED)
            .getBytes(StandardCharsets.UTF_8);

    HookDelivery second = receive(github("push", next));

    assertThat(List.of(first, second))
        .extracting(HookDelivery::reason)
        .containsOnly("There is nothing to do: the push changed no file below apps/admin.");
  }

  /** The host does not tell again of a push that we were told of in vain. */
  @Test
  void whoGoesBackIsNotTakenForOneWhoIsLateWhereAMessageWasLost() {
    var _ = deployed(receive(github("push", created())));
    var _ = deployed(receive(push()));
    plane.clock.advance(Duration.ofMinutes(11));
    byte[] back =
        text("github/push-forced")
            .replace(PUSHED, "0123456789abcdef0123456789abcdef01234567")
            .replace(FORCED, BEFORE)
            .getBytes(StandardCharsets.UTF_8);

    DeploymentId third = deployed(receive(github("push", back)));

    assertThat(plane.read(third).code().requestedSha()).contains(BEFORE);
  }

  @Test
  void aProjectOfArchivesTakesNoPush() {
    change("repo = NULL, source = 'zip'");

    assertIgnored(receive(push()), "The project comes from archives; a push deploys nothing.");
  }

  private void serves(String sha) {
    DeploymentId id = plane.deploy(project).id();
    plane.database.useTransaction(
        tx -> tx.execute("UPDATE deployment SET commit_sha = ? WHERE id = ?", sha, id.value()));
  }

  private static String before(HookRequest message) {
    Matcher found = SHA_BEFORE.matcher(new String(message.body(), StandardCharsets.UTF_8));
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  private HookRequest push() {
    return github("push", HostMessages.body("github/push"));
  }

  private HookRequest github(String event, byte[] body) {
    return HostMessages.github(event, body, secret);
  }

  /** The push before {@link #push}. */
  private static byte[] created() {
    return HostMessages.body("github/push-created");
  }

  private static String text(String file) {
    return new String(HostMessages.body(file), StandardCharsets.UTF_8);
  }

  private static byte[] edited(String file, String from, String to) {
    return text(file).replace(from, to).getBytes(StandardCharsets.UTF_8);
  }

  private HookDelivery receive(HookRequest message) {
    plane.clock.advance(Duration.ofSeconds(1));
    return plane.main.hooks.receive(project.id(), message);
  }

  private static DeploymentId deployed(HookDelivery taken) {
    assertThat(taken.outcome()).as(taken.reason()).isEqualTo(Outcome.DEPLOYED);
    return taken.deploymentId().orElseThrow();
  }

  private void assertIgnored(HookDelivery taken, String reason) {
    assertThat(taken.outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(taken.reason()).isEqualTo(reason);
    assertThat(list().getFirst()).isEqualTo(taken);
    assertThat(plane.count("deployment WHERE trigger = 'PUSH'")).isZero();
  }

  private List<HookDelivery> list() {
    return plane.main.hooks.list(plane.account, project.id(), Optional.empty(), 100);
  }

  private void change(String assignment) {
    plane.database.useTransaction(tx ->
        tx.execute("UPDATE project SET " + assignment + " WHERE id = ?", project.id().value()));
  }

  private void begin(DeploymentId id) {
    plane.database.useTransaction(
        tx -> tx.execute("UPDATE deployment SET status = 'BUILDING' WHERE id = ?", id.value()));
  }
}
