package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.core.PreviewId;
import dev.slipway.dashboard.DashboardPlace.Browser;
import dev.slipway.dashboard.DashboardPlace.Shown;
import dev.slipway.hook.PullRequest;
import dev.slipway.preview.Preview;
import dev.slipway.preview.PreviewPlace;
import dev.slipway.project.Project;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PreviewPagesTest {
  private static final String HOSTILE = "<script>alert(1)</script>\"'";
  private static final Pattern POLL = Pattern.compile("hx-get=\"/dashboard([^\"]*/state[^\"]*)\"");

  private final DashboardPlace place = new DashboardPlace();
  private final Project shop = place.plane.project("shop");
  private final PreviewPlace pulls = new PreviewPlace(place.plane, shop);
  private final String list = "/projects/" + shop.id() + "/previews";
  private final Browser owner = place.owner();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void withoutPreviewsItIsSaidWhatToDo() {
    assertThat(owner.get(list).text()).contains("No previews", "make a secret for the git hook");
    owner.get("/projects/" + shop.id() + "/settings");
    owner.post("/projects/" + shop.id() + "/settings/hook", Map.of());
    assertThat(owner.get(list).text()).contains("Open a pull request, or push to one");
    owner.post("/projects/" + shop.id() + "/settings/deploys", Map.of("auto_deploy", "true"));
    assertThat(owner.get(list).text()).contains("Previews are off");
  }

  @Test
  void anOpenOneIsFollowedFromItsBuildToItsAddressAndItsRemoval() {
    PreviewId id = pulls.opened(12);
    Shown queued = owner.get(list);
    assertThat(queued.text()).contains("#12 A cart", "cart", "Queued", "ada", "None yet");
    assertThat(queued.body()).contains("hx-trigger=\"every 3s\"");
    Shown page = owner.get(list + "/" + id);
    Matcher poll = POLL.matcher(page.body());
    assertThat(poll.find()).isTrue();
    assertThat(owner.get(poll.group(1)).status()).isEqualTo(204);
    assertThat(page.body())
        .contains("data-stream=\"/dashboard" + list + "/" + id + "/log?after=")
        .contains("href=\"https://git.example.org/acme/shop/pulls/12\"");

    place.plane.main.jobs.runDue();

    Shown changed = owner.get(poll.group(1));
    assertThat(changed.body()).startsWith("<div id=\"state\"").doesNotContain("hx-get");
    assertThat(changed.text()).contains("Live", "shop--pr-12-");
    Shown live = owner.get(list);
    assertThat(live.text()).contains("Live", "shop--pr-12-");
    assertThat(live.body()).contains("hx-trigger=\"every 15s\"");
    assertThat(owner.get(list + "/open").body()).startsWith("<tbody id=\"previews-open\"");
    assertThat(owner.get(list + "/" + id + "/log.txt").header("Content-Disposition"))
        .contains(id + ".log");

    assertThat(owner.post(list + "/" + id + "/remove", Map.of()).location())
        .isEqualTo("/dashboard" + list + "/" + id + "?done=preview-removed");

    assertThat(owner.get(list + "/" + id).text())
        .contains("Removed", "None any more")
        .doesNotContain("Build again");
    assertThat(owner.get(list).text()).contains("Removed", "#12 A cart");
    assertThat(owner.post(list + "/" + id + "/redeploy", Map.of()).status()).isEqualTo(409);
  }

  @Test
  void aPushThatComesMeanwhileLeadsToItsOwnLog() {
    PreviewId id = pulls.opened(3);
    Matcher poll = POLL.matcher(owner.get(list + "/" + id).body());
    assertThat(poll.find()).isTrue();

    pulls.updated(3, PreviewPlace.SECOND);

    Shown answer =
        owner.send(
            HttpRequest.newBuilder(place.uri(poll.group(1))).header("HX-Request", "true").build());
    assertThat(answer.header("HX-Redirect")).isEqualTo("/dashboard" + list + "/" + id);
    assertThat(owner.get(list + "/" + id).text()).contains("2222222");
  }

  @Test
  void oneThatFailedSaysWhyAndIsBuiltAgain() {
    PreviewId id = pulls.opened(4);
    place.plane.database.useTransaction(tx ->
        tx.execute(
            """
            UPDATE deployment SET status = 'FAILED', error_code = 'BUILD_FAILED',
                   error_message = 'npm run build ended with <b>status 1</b>.'
             WHERE id = ?
            """,
            pulls.newest(pulls.read(id)).id().value()));

    assertThat(owner.get(list).text()).contains("Failed", "ended with <b>status 1</b>.");
    Shown page = owner.get(list + "/" + id);
    assertThat(page.text())
        .contains("The preview failed build_failed", "The first error in the log");
    assertThat(page.body()).doesNotContain("<b>status", "hx-get=\"/dashboard" + list + "/" + id);

    assertThat(owner.post(list + "/" + id + "/redeploy", Map.of()).location())
        .endsWith("?done=preview-queued");
    assertThat(owner.get(list + "/" + id).text())
        .contains("Queued")
        .doesNotContain("The preview failed");
  }

  @Test
  void whatStrangersWriteIsText() {
    PullRequest from = pulls.pullRequest(5, PullRequest.Action.OPENED, PreviewPlace.FIRST);
    Preview preview =
        pulls.read(
            pulls
                .take(
                    new PullRequest(
                        5,
                        HOSTILE,
                        from.action(),
                        shop.repo(),
                        from.headBranch(),
                        from.headSha(),
                        from.baseBranch(),
                        false,
                        HOSTILE,
                        from.webUrl()))
                .preview()
                .orElseThrow());

    for (String path : new String[] {list, list + "/" + preview.id()}) {
      assertThat(owner.get(path).body()).as(path).doesNotContain("<script>alert");
      assertThat(owner.get(path).text()).as(path).contains("<script>alert(1)</script>");
    }
  }

  @Test
  void twentyOpenAndManyRemovedOnesAreASmallPage() {
    for (int i = 1; i <= 26; i++) {
      pulls.opened(i);
      pulls.closed(i);
    }
    for (int i = 101; i <= 120; i++) {
      pulls.opened(i);
    }

    Shown first = owner.get(list);
    assertThat(first.text()).contains("#101 ", "#120 ", "#26 ").doesNotContain("#1 A cart");
    assertThat(first.body().length()).isLessThan(100_000);
    Matcher older =
        Pattern.compile("href=\"/dashboard([^\"]*cursor=[^\"]*)\"").matcher(first.body());
    assertThat(older.find()).isTrue();
    assertThat(owner.get(older.group(1).replace("&amp;", "&")).text())
        .contains("#1 A cart", "#101 ");
  }

  @Test
  void viewersLookAndChangeNothingAndOtherAccountsSeeNothing() {
    PreviewId id = pulls.opened(8);
    String page = list + "/" + id;
    Browser viewer = place.signedIn(place.plane.account, Role.VIEWER);
    Browser stranger = place.signedIn(place.plane.addAccount(), Role.OWNER);

    assertThat(viewer.get(list).text()).contains("#8 A cart").doesNotContain("Build again");
    assertThat(viewer.get(page).body()).doesNotContain("/remove\"", "/redeploy\"");
    for (String deed : new String[] {"/remove", "/redeploy"}) {
      assertThat(viewer.post(page + deed, Map.of()).status()).isEqualTo(403);
      assertThat(stranger.post(page + deed, Map.of()).status()).isEqualTo(403);
    }
    for (String path : new String[] {list, page, page + "/state", page + "/log.txt"}) {
      assertThat(stranger.get(path).status()).as(path).isEqualTo(403);
    }
    assertThat(owner.get(list + "/" + PreviewId.next()).status()).isEqualTo(404);
    Project other = place.plane.project("other");
    assertThat(owner.get("/projects/" + other.id() + "/previews/" + id).status()).isEqualTo(404);
  }
}
