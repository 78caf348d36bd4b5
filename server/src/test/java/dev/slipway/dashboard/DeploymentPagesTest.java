package dev.slipway.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.project.Project;
import dev.slipway.runlog.LogLevel;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DeploymentPagesTest {
  private static final Pattern POLL = Pattern.compile("hx-get=\"/dashboard([^\"]*)\"");

  private static final DashboardPlace PLACE = new DashboardPlace();

  /** Each test has one of its own. */
  private final String name = "shop" + DeploymentId.next().value().substring(20);

  private final Project shop = PLACE.plane.project(name);
  private final String host = shop.label() + ".localhost:8080";

  @AfterAll
  static void close() {
    PLACE.close();
  }

  @Test
  void aDeploymentThatServesShowsItsStepsItsLogAndWhatItIs() {
    Deployment live = PLACE.plane.deploy(shop);
    DashboardPlace.Shown page = PLACE.owner().get(path(live));

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body())
        .contains(
            "<span class=\"badge ok\">Live</span>", "<span class=\"tag on\">Production</span>")
        .contains("<strong>Start</strong>", "href=\"http://" + host + "\"", "Node.js")
        .contains("href=\"" + url(live) + "/log.txt\"")
        .doesNotContain("hx-get", "data-stream", "rollback-");
    assertThat(page.text()).contains("Deployment " + live.id() + " is queued.", "Redeploy");
  }

  @Test
  void whileItIsUnderWayThePageAsksForChangesAndGetsNothingWhereThereIsNone() {
    Deployment queued = PLACE.plane.trigger(shop);
    DashboardPlace.Browser browser = PLACE.owner();
    DashboardPlace.Shown page = browser.get(path(queued));
    String poll = poll(page);

    assertThat(page.body())
        .contains("hx-trigger=\"every 2s\"", "data-stream=\"" + url(queued) + "/log?after=1\"")
        .contains("It waits for its turn.", "<li class=\"waiting\">");
    assertThat(browser.get(poll).status()).isEqualTo(204);

    PLACE.plane.main.service().cancel(PLACE.plane.account, queued.id());
    DashboardPlace.Shown changed = browser.get(poll);
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.body())
        .contains("id=\"state\"", "<span class=\"badge off\">Canceled</span>", "Redeploy")
        .doesNotContain("hx-get", "<html");
  }

  @Test
  void aFailureIsOnTopWithItsCodeWhatToDoAndTheLineOfTheLog() {
    Deployment failed = PLACE.plane.trigger(shop);
    say(failed, "$ npm run build");
    say(failed, "npm warn deprecated glob@7.2.3");
    say(failed, "src/app.ts(3,7): error TS2322: Type 'string' is not assignable");
    fail(failed, "BUILD_FAILED", "The build ended with status 1.");
    DashboardPlace.Shown page = PLACE.owner().get(path(failed));

    assertThat(page.body())
        .contains("<code>build_failed</code>", "The build ended with status 1.")
        .contains("href=\"/dashboard/projects/" + shop.id() + "/settings\"")
        .contains("<a href=\"#L4\">Show it in the log, line 4</a>")
        .contains("<li id=\"L2\" class=\"cmd\">", "<li id=\"L3\" class=\"warning\">")
        .contains("<li id=\"L4\" class=\"error\">");
    assertThat(page.body().indexOf("build_failed")).isLessThan(page.body().indexOf("id=\"steps\""));
  }

  @Test
  void theLineOfTheLogIsThereWhereTheLinesAroundItAreLong() {
    Deployment failed = PLACE.plane.trigger(shop);
    for (int i = 2; i <= 40; i++) {
      say(failed, i == 21 ? "error: " + "x".repeat(5_000) : "<".repeat(4_000));
    }
    fail(failed, "BUILD_FAILED", "The build ended with status 1.");
    DashboardPlace.Browser browser = PLACE.owner();
    Matcher link =
        Pattern.compile("<a href=\"/dashboard([^\"#]*\\?from=[0-9]+)#L21\">Show it in the log")
            .matcher(browser.get(path(failed)).body());

    assertThat(link.find()).isTrue();
    DashboardPlace.Shown page = browser.get(link.group(1));
    assertThat(page.body())
        .contains("<li id=\"L20\">", "<li id=\"L21\" class=\"error\">", "Newest lines");
    assertThat(page.body().getBytes(UTF_8)).hasSizeLessThan(100_000);
  }

  @Test
  void cancelingEndsIt() {
    Deployment queued = PLACE.plane.trigger(shop);
    DashboardPlace.Browser browser = PLACE.owner();
    assertThat(browser.get(path(queued)).body()).contains("action=\"" + url(queued) + "/cancel\"");

    DashboardPlace.Shown done = browser.post(path(queued) + "/cancel", Map.of());
    assertThat(done.location()).isEqualTo(url(queued) + "?done=canceled");
    assertThat(PLACE.plane.read(queued).status()).isEqualTo(DeploymentStatus.FAILED);

    Deployment live = PLACE.plane.deploy(shop);
    DashboardPlace.Shown refused = browser.post(path(live) + "/cancel", Map.of());
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text()).contains("That did not work", "is live");
  }

  @Test
  void redeployingTakesTheSameCommitAndBuildsAnewWhereThatIsWanted() {
    Deployment first = PLACE.plane.deploy(shop);
    DashboardPlace.Browser browser = PLACE.owner();

    Deployment again = made(browser.post(path(first) + "/redeploy", Map.of()));
    assertThat(again.code().requestedSha())
        .contains(PLACE.plane.read(first).code().commit().orElseThrow().sha());
    assertThat(again.code().rebuild()).isFalse();
    Deployment anew = made(browser.post(path(first) + "/redeploy", Map.of("rebuild", "true")));
    assertThat(anew.code().rebuild()).isTrue();
  }

  @Test
  void rollingBackSaysWhatItWillDoAndDoesIt() {
    Deployment old = PLACE.plane.deploy(shop);
    Deployment live = PLACE.plane.deploy(shop);
    PLACE.message(old, "Fix rounding");
    PLACE.message(live, "Break rounding");
    DashboardPlace.Browser browser = PLACE.owner();

    assertThat(browser.get(path(old)).text())
        .contains("Roll back to this", "Now " + host + " serves “Break rounding”")
        .contains("After this it will serve “Fix rounding”", "Nothing is built")
        .contains("Neither of the two has a database here.", "ends as superseded");
    Deployment rollback = made(browser.post(path(old) + "/rollback", Map.of()));
    assertThat(rollback.origin().rollbackTo()).contains(old.id());
    assertThat(browser.get(path(rollback)).text()).contains("Roll back to “Fix rounding”");

    Deployment canceled = PLACE.plane.trigger(shop);
    PLACE.plane.main.service().cancel(PLACE.plane.account, canceled.id());
    DashboardPlace.Shown refused = browser.post(path(canceled) + "/rollback", Map.of());
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("can be rolled back to");
  }

  @Test
  void rollingBackSaysWhichDatabaseIsUsedAfterwards() {
    Deployment old = PLACE.plane.deploy(shop);
    Deployment live = PLACE.plane.deploy(shop);
    DatabaseId before = aDatabase();
    DashboardPlace.Browser browser = PLACE.owner();

    uses(old, before);
    assertThat(browser.get(path(old)).text())
        .contains("It goes back to the database " + Shown.id(before.value()) + ", as that is now.");
    uses(live, before);
    assertThat(browser.get(path(old)).text())
        .contains("It uses the same database, " + Shown.id(before.value()) + "; its rows stay.");
    DatabaseId since = aDatabase();
    uses(live, since);
    assertThat(browser.get(path(old)).text())
        .contains("what was written to " + Shown.id(since.value()) + " is not in it.");
    assertThat(browser.get("/projects/" + shop.id() + "/deployments").text())
        .contains("what was written to " + Shown.id(since.value()) + " is not in it.");
  }

  @Test
  void goingBackToARollbackIsCalledByWhatThatServes() {
    Deployment first = PLACE.plane.deploy(shop);
    PLACE.message(first, "Fix rounding");
    PLACE.plane.deploy(shop);
    Deployment rollback = PLACE.plane.rolledBackTo(PLACE.plane.read(first));
    PLACE.plane.deploy(shop);

    assertThat(PLACE.owner().get(path(rollback)).text())
        .contains("it will serve “Fix rounding” (0123456) again, deployed");
  }

  @Test
  void whatADeletedProjectDeployedCanStillBeReadAndNothingIsOffered() {
    Deployment old = PLACE.plane.deploy(shop);
    Deployment live = PLACE.plane.deploy(shop);
    Deployment failed = PLACE.plane.trigger(shop);
    fail(failed, "BUILD_FAILED", "The build ended with status 1.");
    PLACE.plane.main.projects.delete(PLACE.plane.account, shop.id(), false);
    DashboardPlace.Browser browser = PLACE.owner();

    for (Deployment each : new Deployment[] {old, live, failed}) {
      DashboardPlace.Shown page = browser.get(path(each));
      assertThat(page.status()).as(page.body()).isEqualTo(200);
      assertThat(page.text())
          .contains(name + " (deleted)", host, "is queued")
          .doesNotContain("Production");
      assertThat(page.body())
          .doesNotContain("/dashboard/projects/" + shop.id(), "/rollback", "/redeploy");
      assertThat(browser.get(path(each) + "/state").status()).isEqualTo(200);
    }
  }

  @Test
  void aViewerSeesAllOfItAndIsOfferedNothing() {
    Deployment old = PLACE.plane.deploy(shop);
    PLACE.plane.deploy(shop);
    Deployment queued = PLACE.plane.trigger(shop);
    DashboardPlace.Browser viewer = PLACE.signedIn(PLACE.plane.account, Role.VIEWER);

    assertThat(viewer.get(path(old)).body())
        .contains("id=\"steps\"")
        .doesNotContain("Redeploy", "/rollback");
    assertThat(viewer.get(path(queued)).body()).doesNotContain("/cancel");
    for (String action : new String[] {"/cancel", "/redeploy", "/rollback"}) {
      assertThat(viewer.post(path(queued) + action, Map.of()).status()).as(action).isEqualTo(403);
    }
  }

  @Test
  void deploymentsOfOtherAccountsAreForbiddenAndUnknownOnesMissing() {
    Deployment live = PLACE.plane.deploy(shop);
    DashboardPlace.Browser other = PLACE.signedIn(PLACE.plane.addAccount(), Role.OWNER);

    for (String below : new String[] {"", "/state", "/log", "/log.txt"}) {
      assertThat(other.get(path(live) + below).status()).as(below).isEqualTo(403);
    }
    assertThat(other.post(path(live) + "/redeploy", Map.of()).status()).isEqualTo(403);
    assertThat(PLACE.owner().get("/deployments/" + DeploymentId.next()).status()).isEqualTo(404);
  }

  @Test
  void hostileLinesAndMessagesAreText() {
    String hostile = "<script>alert(1)</script> \"'><img src=x onerror=alert(2)> &lt;";
    Deployment live = PLACE.plane.deploy(shop);
    PLACE.message(live, hostile);
    say(live, hostile);
    String body = PLACE.owner().get(path(live)).body();

    assertThat(body)
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "&amp;lt;")
        .doesNotContain("<script>", "<img");
  }

  @Test
  void ofALongLogThePageHasTheNewestLinesTheEarlierOnDemandAndTheFileAll() {
    Deployment queued = PLACE.plane.trigger(shop);
    for (int i = 2; i <= 1500; i++) {
      say(queued, "line %d %s".formatted(i, "<>&".repeat(60)));
    }
    DashboardPlace.Browser browser = PLACE.owner();
    DashboardPlace.Shown newest = browser.get(path(queued));
    Matcher earlier =
        Pattern.compile("href=\"/dashboard([^\"#]*)#log\" data-earlier").matcher(newest.body());

    assertThat(newest.body()).contains("id=\"L1500\"").doesNotContain("id=\"L1100\"");
    assertThat(newest.body().getBytes(UTF_8)).hasSizeLessThan(100_000);
    assertThat(earlier.find()).isTrue();
    DashboardPlace.Shown before = browser.get(earlier.group(1));
    Matcher first = Pattern.compile("id=\"L(\\d+)\"").matcher(newest.body());
    assertThat(first.find()).isTrue();
    int last = Integer.parseInt(first.group(1)) - 1;
    assertThat(before.body())
        .contains("id=\"L" + last + "\"", "Newest lines")
        .doesNotContain("id=\"L" + (last + 1) + "\"", "data-stream");

    DashboardPlace.Shown file = browser.get(path(queued) + "/log.txt");
    assertThat(file.header("Content-Disposition"))
        .isEqualTo("attachment; filename=\"" + queued.id() + ".log\"");
    assertThat(file.header("Content-Type")).startsWith("text/plain");
    assertThat(file.body().lines()).hasSize(1500);
    assertThat(file.body()).contains("  line 2 <>&<>&", "  line 1500 ");
  }

  @Test
  void theLogIsFollowedAsTheApiWritesItToItsEnd() {
    Deployment live = PLACE.plane.deploy(shop);
    DashboardPlace.Browser browser = PLACE.owner();
    DashboardPlace.Shown stream =
        browser.send(
            HttpRequest.newBuilder(PLACE.uri(path(live) + "/log?after=1"))
                .header("Accept", "text/event-stream")
                .build());

    assertThat(stream.header("Content-Type")).isEqualTo("text/event-stream");
    assertThat(stream.body())
        .doesNotContain("is queued")
        .contains("event: log\ndata: {\"timestamp\"", "event: end");
  }

  private Deployment made(DashboardPlace.Shown answer) {
    assertThat(answer.location()).as(answer.body()).startsWith("/dashboard/deployments/");
    String id = answer.location().substring(answer.location().lastIndexOf('/') + 1);
    return PLACE.plane.read(new DeploymentId(id));
  }

  private static DatabaseId aDatabase() {
    DatabaseId id = DatabaseId.next();
    PLACE.plane.database.useTransaction(tx ->
        tx.execute(
            "INSERT INTO database_project (id, account_id, type, origin, status, created_at) VALUES (?, ?, 'POSTGRES', 'CREATED', 'READY', now())",
            id.value(),
            PLACE.plane.account.value()));
    return id;
  }

  private static void uses(Deployment deployment, DatabaseId used) {
    PLACE.plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE deployment SET database_id = ? WHERE id = ?",
            used.value(),
            deployment.id().value()));
  }

  private void say(Deployment deployment, String line) {
    PLACE.plane.database.useTransaction(
        tx -> PLACE.plane.logs.append(tx, deployment.logId(), LogLevel.INFO, line));
  }

  private void fail(Deployment deployment, String code, String message) {
    PLACE.plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE deployment SET status = 'FAILED', error_code = ?, error_message = ?, ended_at = now() WHERE id = ?",
            code,
            message,
            deployment.id().value()));
  }

  private static String poll(DashboardPlace.Shown page) {
    Matcher poll = POLL.matcher(page.body());
    assertThat(poll.find()).isTrue();
    return poll.group(1);
  }

  private static String path(Deployment deployment) {
    return "/deployments/" + deployment.id();
  }

  private static String url(Deployment deployment) {
    return "/dashboard" + path(deployment);
  }
}
