package dev.slipway.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.PreviewId;
import dev.slipway.core.RequestException;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.deployment.Plane;
import dev.slipway.edge.Route;
import dev.slipway.hook.Outcome;
import dev.slipway.hook.PullRequest;
import dev.slipway.hook.Reaction;
import dev.slipway.project.EnvScope;
import dev.slipway.project.Previews;
import dev.slipway.runtime.FakeRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From the opening of a pull request to its end. Source: API decisions, "Webhooks" (incoming). */
class PreviewLifeTest {
  private final Plane plane = new Plane();
  private final PreviewPlace shop = new PreviewPlace(plane, plane.project("shop"));

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void anOpenedPullRequestIsDeployedAtAnAddressOfItsOwn() {
    PreviewId id = shop.opened(7);
    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.QUEUED);
    assertThat(shop.read(id).label()).isEmpty();
    Deployment queued = shop.newest(shop.read(id));
    assertThat(queued.code().requestedSha()).contains(PreviewPlace.FIRST);
    assertThat(queued.code().branch()).contains("cart");

    plane.main.jobs.runDue();

    Preview live = shop.read(id);
    assertThat(live.status()).isEqualTo(PreviewStatus.LIVE);
    String label = live.label().orElseThrow();
    assertThat(label).matches("shop--pr-7-[a-z2-9]{16}");
    Route route = plane.main.route(label).orElseThrow();
    assertThat(route.deployment()).isEqualTo(queued.id());
    assertThat(route.preview()).as("not indexed").isTrue();
    assertThat(plane.main.route(queued.previewLabel())).isEmpty();
    assertThat(plane.main.route("shop")).isEmpty();
  }

  @Test
  void aPushDeploysTheNewCommitAtTheSameAddress() {
    Preview before = shop.live(7);

    Reaction reaction = shop.updated(7, PreviewPlace.SECOND);
    plane.main.jobs.runDue();

    Preview after = shop.read(before.id());
    assertThat(reaction.outcome()).isEqualTo(Outcome.PREVIEW);
    assertThat(reaction.preview()).contains(before.id());
    assertThat(after.label()).isEqualTo(before.label());
    assertThat(after.head().commitSha()).isEqualTo(PreviewPlace.SECOND);
    assertThat(shop.newest(after).code().requestedSha()).contains(PreviewPlace.SECOND);
    assertThat(plane.main.route(after.label().orElseThrow()).orElseThrow().deployment())
        .isEqualTo(after.newest().orElseThrow().id());
    assertThat(plane.main.runtime.running()).hasSize(1);
  }

  @Test
  void ofEarlierCommitsNoMoreThanOneIsKept() {
    Preview live = shop.live(7);
    for (String digit : List.of("3", "4", "5")) {
      shop.updated(7, digit.repeat(40));
      plane.main.jobs.runDue();
    }

    assertThat(shop.deployments(live)).hasSize(4);
    assertThat(plane.count("release WHERE pruned_at IS NULL")).isEqualTo(2);
  }

  @Test
  void ofSeveralPushesTheNewestRunsAndTheOthersAreSuperseded() {
    PreviewId id = shop.opened(7);
    shop.updated(7, PreviewPlace.SECOND);

    List<Deployment> all = shop.deployments(shop.read(id));

    assertThat(all)
        .extracting(Deployment::status)
        .containsExactly(DeploymentStatus.QUEUED, DeploymentStatus.FAILED);
    assertThat(all.getLast().failure()).map(Failure::code).contains(FailureCode.SUPERSEDED);
    plane.main.jobs.runDue();
    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.LIVE);
    assertThat(plane.main.runtime.started()).hasSize(1);
  }

  @Test
  void theSameStateToldTwiceIsDeployedOnce() {
    Preview live = shop.live(7);

    Reaction reaction = shop.updated(7, PreviewPlace.FIRST);

    assertThat(reaction.preview()).contains(live.id());
    assertThat(shop.deployments(live)).hasSize(1);
  }

  @Test
  void oneThatFailedIsDeployedAgainWhenItIsToldAgain() {
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    Preview failed = shop.live(7);
    assertThat(failed.status()).isEqualTo(PreviewStatus.FAILED);
    assertThat(failed.label()).isEmpty();

    shop.updated(7, PreviewPlace.FIRST);
    plane.main.jobs.runDue();

    assertThat(shop.read(failed.id()).status()).isEqualTo(PreviewStatus.LIVE);
  }

  @Test
  void anUpdateThatFailsLeavesTheEarlierCommitServing() {
    Preview before = shop.live(7);
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);

    shop.updated(7, PreviewPlace.SECOND);
    plane.main.jobs.runDue();

    Preview after = shop.read(before.id());
    assertThat(after.status()).isEqualTo(PreviewStatus.FAILED);
    assertThat(after.newest().orElseThrow().failure()).isPresent();
    assertThat(after.label()).isEqualTo(before.label());
    assertThat(plane.main.route(before.label().orElseThrow()).orElseThrow().deployment())
        .isEqualTo(before.newest().orElseThrow().id());
  }

  @Test
  void aClosedPullRequestHasNoAddressAndNoProgram() {
    Preview live = shop.live(7);
    String label = live.label().orElseThrow();

    Reaction reaction = shop.closed(7);

    assertThat(reaction.outcome()).isEqualTo(Outcome.PREVIEW);
    assertThat(reaction.preview()).contains(live.id());
    assertThat(plane.main.route(label)).isEmpty();
    plane.main.jobs.runDue();
    Preview removed = shop.read(live.id());
    assertThat(removed.status()).isEqualTo(PreviewStatus.REMOVED);
    assertThat(removed.label()).isEmpty();
    assertThat(removed.removedAt()).isPresent();
    assertThat(plane.main.runtime.running()).isEmpty();
    assertThat(plane.count("release WHERE pruned_at IS NULL")).isZero();
  }

  @Test
  void oneThatIsClosedWhileItIsBeingStartedIsEnded() {
    PreviewId id = shop.opened(7);
    plane.main.runtime.duringNextStart(() -> shop.closed(7));

    plane.main.jobs.runDue();

    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.REMOVED);
    assertThat(shop.newest(shop.read(id)).failure())
        .map(Failure::code)
        .contains(FailureCode.CANCELED);
    assertThat(plane.main.runtime.running()).isEmpty();
    assertThat(plane.count("instance")).isZero();
  }

  @Test
  void killedWhileItIsBeingStartedTheNextStartOfTheServerGoesOn() {
    PreviewId id = shop.opened(7);
    plane.main.jobs.run("build", shop.newest(shop.read(id)).id().value());
    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.DEPLOYING);

    Plane.Worker next = plane.worker("main"); // it has the killed one's name
    next.deployments.recover();
    next.jobs.runDue();

    Preview live = shop.read(id);
    assertThat(live.status()).isEqualTo(PreviewStatus.LIVE);
    assertThat(next.route(live.label().orElseThrow())).isPresent();
  }

  @Test
  void killedBeforeARemovedOneWasEndedTheNextStartOfTheServerEndsIt() {
    Preview live = shop.live(7);
    shop.closed(7);

    plane.main.deployments.recover();
    plane.main.jobs.runDue();

    assertThat(plane.main.route(live.label().orElseThrow())).isEmpty();
    assertThat(plane.main.runtime.running()).isEmpty();
  }

  @Test
  void oneThatIsOpenedAgainIsAnotherPreview() {
    Preview first = shop.live(7);
    shop.closed(7);

    Preview second = shop.live(7);

    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.label()).isPresent().isNotEqualTo(first.label());
    assertThat(list()).extracting(Preview::id).containsExactly(second.id(), first.id());
    assertThat(shop.read(first.id()).status()).isEqualTo(PreviewStatus.REMOVED);
  }

  @Test
  void thatAPullRequestWithoutPreviewIsClosedIsIgnored() {
    Reaction reaction = shop.closed(7);

    assertThat(reaction.outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(reaction.reason()).contains("7").contains("no preview");
    assertThat(list()).isEmpty();
  }

  @Test
  void oneThatGoesIntoAnotherBranchGetsNone() {
    PullRequest other =
        PreviewPlace.into(
            "release", shop.pullRequest(7, PullRequest.Action.OPENED, PreviewPlace.FIRST));

    Reaction reaction = shop.take(other);

    assertThat(reaction.outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(reaction.reason()).contains("release").contains("main");
  }

  @Test
  void onceItIsToGoIntoAnotherBranchItHasNoneAnyMore() {
    Preview live = shop.live(7);

    shop.take(
        PreviewPlace.into(
            "release", shop.pullRequest(7, PullRequest.Action.UPDATED, PreviewPlace.SECOND)));

    assertThat(shop.read(live.id()).status()).isEqualTo(PreviewStatus.REMOVED);
    assertThat(plane.main.route(live.label().orElseThrow())).isEmpty();
  }

  @Test
  void aForkGetsOneOnlyWhereTheProjectSaysSo() {
    PullRequest fork =
        PreviewPlace.ofFork(shop.pullRequest(7, PullRequest.Action.OPENED, PreviewPlace.FIRST));
    Reaction refused = shop.take(fork);
    assertThat(refused.outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(refused.reason()).contains("fork").contains("preview_forks");

    shop.set(Previews.UNLISTED, true);
    PreviewId id = shop.take(fork).preview().orElseThrow();
    plane.main.jobs.runDue();

    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.LIVE);
    assertThat(shop.behind(shop.read(id)).repo().orElseThrow().value()).isEqualTo("mallory/shop");
  }

  @Test
  void onceForksAreNotWantedAnyMoreTheirPreviewsAreRemoved() {
    shop.set(Previews.UNLISTED, true);
    PullRequest fork =
        PreviewPlace.ofFork(shop.pullRequest(7, PullRequest.Action.OPENED, PreviewPlace.FIRST));
    PreviewId ofFork = shop.take(fork).preview().orElseThrow();
    PreviewId ofBranch = shop.opened(8);

    shop.set(Previews.UNLISTED, false);

    assertThat(shop.read(ofFork).status()).isEqualTo(PreviewStatus.REMOVED);
    assertThat(shop.read(ofBranch).status()).isEqualTo(PreviewStatus.QUEUED);
  }

  @Test
  void switchedOffTheyAreRemovedAndNoneIsMade() {
    Preview live = shop.live(7);

    shop.set(Previews.OFF, false);

    assertThat(plane.main.route(live.label().orElseThrow())).isEmpty();
    assertThat(shop.read(live.id()).status()).isEqualTo(PreviewStatus.REMOVED);
    Reaction reaction = shop.updated(7, PreviewPlace.SECOND);
    assertThat(reaction.outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(reaction.reason()).contains("switched off");
    plane.main.jobs.runDue();
    assertThat(plane.main.runtime.running()).isEmpty();
  }

  @Test
  void aProjectHasTwentyAtMost() {
    for (int number = 1; number <= PullRequestRules.MAX_OPEN; number++) {
      shop.opened(number);
    }

    Reaction refused =
        shop.take(shop.pullRequest(99, PullRequest.Action.OPENED, PreviewPlace.FIRST));
    assertThat(refused.outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(refused.reason()).contains("20").contains("close a pull request");
    assertThat(shop.updated(3, PreviewPlace.SECOND).outcome()).isEqualTo(Outcome.PREVIEW);

    shop.closed(3);
    assertThat(shop.opened(99)).isNotNull();
  }

  @Test
  void theyGoWithTheirProject() {
    Preview live = shop.live(7);
    PreviewId queued = shop.opened(8);
    Deployment underWay = shop.newest(shop.read(queued));

    plane.main.projects.delete(plane.account, shop.project().id(), false);
    plane.main.jobs.runDue();

    assertThat(plane.main.route(live.label().orElseThrow())).isEmpty();
    assertThat(plane.main.runtime.running()).isEmpty();
    assertThat(plane.read(underWay).failure()).map(Failure::code).contains(FailureCode.CANCELED);
    assertThat(refused(() -> shop.read(live.id())).code()).isEqualTo(ErrorCode.NOT_FOUND);
    plane.clock.advance(Duration.ofDays(30));
    plane.main.jobs.runDue();
    for (String table : new String[] {"project", "preview", "deployment", "release", "run_log"}) {
      assertThat(plane.count(table)).as(table).isZero();
    }
  }

  @Test
  void aRemovedOneIsReadableForThirtyDaysAndItsLogForOne() {
    Preview live = shop.live(7);
    shop.closed(7);
    plane.main.jobs.runDue();
    assertThat(plane.log(shop.service().logId(plane.account, shop.project().id(), live.id())))
        .isNotEmpty();

    plane.clock.advance(Duration.ofDays(1));
    plane.main.jobs.runDue();
    assertThat(plane.count("project")).isEqualTo(1);
    assertThat(plane.count("deployment")).isZero();
    assertThat(shop.read(live.id()).status()).isEqualTo(PreviewStatus.REMOVED);
    assertThat(refused(() -> shop.service().logId(plane.account, shop.project().id(), live.id())))
        .hasMessageContaining("not kept any more");

    plane.clock.advance(Duration.ofDays(29));
    plane.main.jobs.runDue();
    assertThat(list()).isEmpty();
  }

  @Test
  void itIsBuiltAsItsProjectIsSetUpAtEachPush() {
    Preview live = shop.live(7);
    plane.becomesSite(shop.project());
    shop.env(EnvScope.PREVIEWS, Map.of("COLOUR", "red"));

    shop.updated(7, PreviewPlace.SECOND);
    plane.main.jobs.runDue();

    assertThat(shop.read(live.id()).newest().orElseThrow().framework()).contains("react-vite");
    assertThat(plane.main.route(live.label().orElseThrow()).orElseThrow().site()).isPresent();
  }

  @Test
  void byHandItIsBuiltAgainAndRemoved() {
    Preview live = shop.live(7);
    plane.clock.advance(Duration.ofSeconds(1));

    Preview again =
        shop.service().redeploy(plane.account, shop.project().id(), live.id()).preview();
    assertThat(again.status()).isEqualTo(PreviewStatus.QUEUED);
    assertThat(again.head()).isEqualTo(live.head());
    assertThat(shop.newest(again).code().rebuild()).isTrue();
    assertThat(again.label()).isEqualTo(live.label());

    shop.service().remove(plane.account, shop.project().id(), live.id());
    shop.service().remove(plane.account, shop.project().id(), live.id());
    assertThat(plane.main.route(live.label().orElseThrow())).isEmpty();
    RequestException conflict =
        refused(() -> shop.service().redeploy(plane.account, shop.project().id(), live.id()));
    assertThat(conflict.code()).isEqualTo(ErrorCode.CONFLICT);
    assertThat(shop.updated(7, PreviewPlace.SECOND).preview())
        .isPresent()
        .isNotEqualTo(Optional.of(live.id()));
  }

  @Test
  void eachMoveIsToldInTheTransactionThatMakesIt() {
    List<String> told = new ArrayList<>();
    plane.main.previews.tell((tx, id) ->
        told.add(plane.main.previews.reports().report(tx, id).orElseThrow().status().name()));

    shop.live(7);
    shop.closed(7);

    assertThat(told).startsWith("QUEUED", "BUILDING", "DEPLOYING", "LIVE").endsWith("REMOVED");
  }

  private List<Preview> list() {
    return shop
        .service()
        .list(plane.account, shop.project().id(), Optional.empty(), Optional.empty(), 100)
        .stream()
        .map(PreviewService.Detail::preview)
        .toList();
  }

  private static RequestException refused(ThrowingCallable request) {
    return catchThrowableOfType(RequestException.class, request);
  }
}
