package dev.slipway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.PreviewId;
import dev.slipway.core.Secret;
import dev.slipway.deployment.Plane;
import dev.slipway.hook.host.CommitStatus.State;
import dev.slipway.hook.host.GitHostApis;
import dev.slipway.hook.host.TestHost;
import dev.slipway.job.ManualJobs;
import dev.slipway.project.Project;
import dev.slipway.runtime.FakeRuntime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What git hosts are told, over the wire, of pushes and of previews. */
class ReportsTest {
  private static final String PUSHED = "2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e";

  private final Plane plane = new Plane();
  private final TestHost host = new TestHost();
  private final Project project = plane.project("shop");
  private final Secret secret = plane.main.hooks.renewSecret(plane.account, project.id());
  private final OnePreview preview = new OnePreview();
  private final Reports reports = reports(true);
  private final ManualJobs jobs =
      new ManualJobs(plane.database, plane.clock, List.of(reports.job()));

  private Reports reports(boolean trusted) {
    Reports made =
        new Reports(
            plane.database,
            new GitHostApis(Map.of("github", new GitHostApis.Entry(host.api(), _ -> trusted))),
            plane.projects(),
            plane.main.service(),
            Plane.ADDRESSES,
            plane.clock);
    made.tellOf(preview);
    return made;
  }

  @BeforeEach
  void listen() {
    plane.main.deployments.tell(reports);
  }

  @AfterEach
  void close() {
    host.close();
    plane.close();
  }

  /** A preview that is as the test says. */
  private final class OnePreview implements PreviewReports {
    private PreviewId id = PreviewId.next();
    private PreviewReport.Status status = PreviewReport.Status.QUEUED;
    private Optional<URI> url = Optional.empty();
    private Optional<Failure> failure = Optional.empty();
    private Optional<String> comment = Optional.empty();

    @Override
    public Optional<PreviewReport> report(Handle tx, PreviewId asked) {
      return Optional.of(asked)
          .filter(id::equals)
          .map(_ ->
              new PreviewReport(
                  project.id(),
                  7,
                  PUSHED,
                  status,
                  url,
                  URI.create("http://localhost:8080/log"),
                  failure,
                  comment));
    }

    @Override
    public void commented(Handle tx, PreviewId id, String commentId) {
      comment = Optional.of(commentId);
    }
  }

  @Test
  void aPushIsFollowedFromTheQueueUntilItIsLive() {
    DeploymentId id = push();
    List<String> told = new ArrayList<>();

    jobs.runDue(ReportJob.KIND);
    told.add(host.status("slipway/shop").description());
    plane.main.jobs.run("build", id.value());
    jobs.runDue(ReportJob.KIND);
    told.add(host.status("slipway/shop").description());
    assertThat(host.status("slipway/shop").state()).isEqualTo(State.PENDING);
    plane.main.jobs.run("activate", id.value());
    jobs.runDue(ReportJob.KIND);

    assertThat(told).containsExactly("Waits to be built.", "Is being started.");
    TestHost.Status last = host.status("slipway/shop");
    assertThat(last.state()).isEqualTo(State.SUCCESS);
    assertThat(last.description()).isEqualTo("Live at http://shop.localhost:8080");
    assertThat(last.target()).isEqualTo("http://localhost:8080/dashboard/deployments/" + id);
    assertThat(host.comments()).isEmpty();
  }

  @Test
  void whatFailedSaysWhy() {
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    DeploymentId id = push();

    plane.main.jobs.run("build", id.value());
    plane.main.jobs.run("activate", id.value());
    jobs.runDue(ReportJob.KIND);

    assertThat(host.status("slipway/shop").state()).isEqualTo(State.FAILURE);
    assertThat(host.status("slipway/shop").description())
        .startsWith(plane.read(id).failure().orElseThrow().message().substring(0, 20));
  }

  @Test
  void whatNobodyWantsAnyMoreIsNoFailureOfItsCommit() {
    DeploymentId id = push();

    var _ = plane.main.service().cancel(plane.account, id);
    jobs.runDue(ReportJob.KIND);

    assertThat(host.status("slipway/shop").state()).isEqualTo(State.SUCCESS);
    assertThat(host.status("slipway/shop").description())
        .isEqualTo("Not deployed: " + plane.read(id).failure().orElseThrow().message());
  }

  @Test
  void ofACommitThatIsDeployedTwiceTheLaterDeploymentIsTold() {
    DeploymentId earlier = push();
    DeploymentId later =
        plane.database.inTransaction(tx -> {
          plane.clock.advance(Duration.ofSeconds(1));
          Project locked = plane.projects().lock(tx, project.id());
          return plane.main.service().pushed(tx, locked, PUSHED).id();
        });

    jobs.runDue(ReportJob.KIND);
    plane.database.useTransaction(
        tx -> reports.moved(tx, plane.main.service().find(tx, earlier).orElseThrow()));
    jobs.runDue(ReportJob.KIND);

    assertThat(host.status("slipway/shop").state()).isEqualTo(State.PENDING);
    assertThat(host.status("slipway/shop").target()).endsWith(later.value());
  }

  @Test
  void whatNobodyPushedIsNotTold() {
    var _ = plane.deploy(project);
    jobs.runDue(ReportJob.KIND);

    assertThat(host.requests()).isEmpty();
  }

  @Test
  void aHostThatDoesNotAnswerIsToldWhatIsTrueLater() {
    host.answerNext(503, 3);
    DeploymentId id = push();
    jobs.runDue(ReportJob.KIND);
    assertThat(host.requests()).hasSize(1);
    plane.main.jobs.run("build", id.value());
    plane.main.jobs.run("activate", id.value());

    for (int i = 0; i < 5; i++) {
      plane.clock.advance(Duration.ofMinutes(1));
      jobs.runDue(ReportJob.KIND);
    }

    assertThat(host.status("slipway/shop").state()).isEqualTo(State.SUCCESS);
    assertThat(plane.count("report_tasks WHERE task_name = 'report'")).isZero();
  }

  @Test
  void oneThatNeverAnswersIsGivenUpAfterSomeHours() {
    host.answerNext(503, 1_000);
    var _ = push();

    for (int i = 0; i < 50; i++) {
      plane.clock.advance(Duration.ofMinutes(10));
      jobs.runDue(ReportJob.KIND);
    }

    assertThat(plane.count("report_tasks WHERE task_name = 'report'")).isZero();
    assertThat(host.requests().size()).isBetween(30, 50);
  }

  @Test
  void oneThatRefusesIsNotAskedAgain() {
    host.answerNext(403, 1);
    var _ = push();

    jobs.runDue(ReportJob.KIND);

    assertThat(host.requests()).hasSize(1);
    assertThat(plane.count("report_tasks WHERE task_name = 'report'")).isZero();
  }

  @Test
  void anAccountThatTheTokenIsNotForIsToldNothingAbout() {
    var _ = push();
    Reports others = reports(false);

    new ManualJobs(plane.database, plane.clock, List.of(others.job())).runDue(ReportJob.KIND);

    assertThat(host.requests()).isEmpty();
  }

  @Test
  void withoutAnyTokenNothingIsAskedFor() {
    Reports none =
        new Reports(
            plane.database,
            GitHostApis.NONE,
            plane.projects(),
            plane.main.service(),
            Plane.ADDRESSES,
            plane.clock);

    plane.database.useTransaction(tx -> none.previewMoved(tx, preview.id));

    assertThat(plane.count("report_tasks")).isZero();
  }

  @Test
  void aDeletedProjectLeavesNoStatusThatWaits() {
    var _ = push();
    jobs.runDue(ReportJob.KIND);
    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.projects.delete(plane.account, project.id(), false);

    jobs.runDue(ReportJob.KIND);

    assertThat(host.status("slipway/shop").state()).isEqualTo(State.SUCCESS);
    assertThat(host.status("slipway/shop").description())
        .isEqualTo("Not deployed: The project was deleted.");
  }

  @Test
  void aPreviewHasAStatusAndOneCommentThatChangesWithIt() {
    tell(PreviewReport.Status.BUILDING);
    assertThat(host.status("slipway/shop/preview").state()).isEqualTo(State.PENDING);
    assertThat(comment()).contains("**Preview of `shop`: is being built**").contains(PUSHED);

    preview.url = Optional.of(URI.create("http://shop--pr-7-abc.localhost:8080"));
    tell(PreviewReport.Status.LIVE);
    assertThat(host.status("slipway/shop/preview").state()).isEqualTo(State.SUCCESS);
    assertThat(host.status("slipway/shop/preview").target())
        .isEqualTo("http://shop--pr-7-abc.localhost:8080");
    assertThat(comment())
        .contains("live**")
        .contains("Address: http://shop--pr-7-abc.localhost:8080")
        .contains("Log: http://localhost:8080/log");

    preview.url = Optional.empty();
    tell(PreviewReport.Status.REMOVED);
    assertThat(host.status("slipway/shop/preview").state()).isEqualTo(State.SUCCESS);
    assertThat(comment()).contains("removed**").doesNotContain("Address");
  }

  @Test
  void aPreviewThatIsRemovedWhileItIsBuiltLeavesNoStatusThatWaits() {
    tell(PreviewReport.Status.BUILDING);
    assertThat(host.status("slipway/shop/preview").state()).isEqualTo(State.PENDING);

    preview.failure = Optional.of(new Failure(FailureCode.CANCELED, "The project was deleted."));
    tell(PreviewReport.Status.REMOVED);

    assertThat(host.status("slipway/shop/preview").state()).isEqualTo(State.SUCCESS);
    assertThat(host.status("slipway/shop/preview").description()).isEqualTo("Preview: removed.");
  }

  /** Its preview is another one, which knows nothing of the comment. */
  @Test
  void onePullRequestThatIsOpenedAgainHasOneComment() {
    tell(PreviewReport.Status.LIVE);
    tell(PreviewReport.Status.REMOVED);
    preview.comment = Optional.empty();
    preview.id = PreviewId.next();

    tell(PreviewReport.Status.QUEUED);

    assertThat(comment()).contains("waits to be built**");
  }

  @Test
  void aFailureIsQuotedSoThatItCallsNobody() {
    preview.failure =
        Optional.of(new Failure(FailureCode.BUILD_FAILED, "```\n@everyone <img src=x>"));

    tell(PreviewReport.Status.FAILED);

    assertThat(comment()).endsWith("\n```\n'''\n@everyone <img src=x>\n```\n");
    assertThat(host.status("slipway/shop/preview").state()).isEqualTo(State.FAILURE);
  }

  @Test
  void aCommentThatSomebodyDeletedIsMadeAnew() {
    tell(PreviewReport.Status.BUILDING);
    Optional<String> first = preview.comment;
    host.deleteComments();

    tell(PreviewReport.Status.LIVE);

    assertThat(comment()).contains("live**");
    assertThat(preview.comment).isNotEqualTo(first);
  }

  @Test
  void aStatusThatIsRefusedKeepsNoCommentBack() {
    host.answerNext(422, 1);

    tell(PreviewReport.Status.LIVE);

    assertThat(comment()).contains("live**");
  }

  private DeploymentId push() {
    plane.clock.advance(Duration.ofSeconds(1));
    return plane
        .main
        .hooks
        .receive(
            project.id(), HostMessages.github("push", HostMessages.body("github/push"), secret))
        .deploymentId()
        .orElseThrow();
  }

  private void tell(PreviewReport.Status status) {
    preview.status = status;
    plane.clock.advance(Duration.ofSeconds(1));
    plane.database.useTransaction(tx -> reports.previewMoved(tx, preview.id));
    jobs.runDue(ReportJob.KIND);
  }

  private String comment() {
    assertThat(host.comments()).hasSize(1);
    return host.comments().getFirst();
  }
}
