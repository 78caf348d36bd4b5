package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.core.ProjectId;
import dev.slipway.core.Secret;
import dev.slipway.dashboard.DashboardPlace.Browser;
import dev.slipway.dashboard.DashboardPlace.Shown;
import dev.slipway.hook.HookDelivery;
import dev.slipway.hook.HookRequest;
import dev.slipway.hook.HostMessages;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GitHookPagesTest {
  private static final Pattern SECRET = Pattern.compile("data-copy=\"(whsec_[A-Za-z0-9+/=_-]+)\"");

  private final DashboardPlace place = new DashboardPlace();
  private final Project shop = place.plane.project("shop");
  private final String settings = "/projects/" + shop.id() + "/settings";
  private final String hook = settings + "/hook";
  private final String address = "/hooks/git/" + shop.id();
  private final Browser owner = place.owner();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void aSecretThatIsMadeIsShownOnceWithTheAddressAndWhatIsSignedWithItIsTaken() {
    assertThat(owner.get(settings).text())
        .contains("Git hook", address, "None is made yet.", "The git host has told nothing yet.")
        .contains("At GitHub", "At GitLab", "At Gitea or Forgejo");
    assertThat(owner.get(hook).text()).contains("Make a secret in the settings");

    Secret secret = made();

    for (String page : new String[] {settings, hook}) {
      assertThat(owner.get(page).body()).doesNotContain(secret.reveal());
      assertThat(owner.get(page).text()).contains("until the git host has the new one");
    }
    push(secret);
    assertThat(owner.get(hook).text())
        .contains("push", "Deployed", "Commit 2b3c4d5 of main is deployed");
  }

  @Test
  void aNewSecretTakesThePlaceOfTheEarlierOne() {
    Secret first = made();
    Secret second = made();

    assertThat(second.reveal()).isNotEqualTo(first.reveal());
    push(second);
    assertThat(owner.get(settings).text()).contains("One is made.", "Deployed");
  }

  @Test
  void whatAPushAskedForIsLinkedAndSaidInTheTimeline() {
    HookDelivery taken = push(made());
    String deployment = taken.deploymentId().orElseThrow().value();

    assertThat(owner.get(settings).body()).contains("href=\"/dashboard/deployments/" + deployment);
    Shown timeline = owner.get("/projects/" + shop.id() + "/deployments");
    assertThat(timeline.body()).containsPattern("icons[^\"]*#push\"/></svg>push</span>");
    assertThat(owner.get("/deployments/" + deployment).body()).contains("#push\"/></svg>push");
  }

  @Test
  void messagesStandOnPagesWithTheirReasonsAsText() {
    Secret secret = made();
    for (int i = 0; i < 26; i++) {
      String branch = "<script>alert(%02d)</script>".formatted(i);
      receive(
          HostMessages.github(
              "push",
              new String(HostMessages.body("github/push-other-branch"), StandardCharsets.UTF_8)
                  .replace("refs/heads/next", "refs/heads/" + branch)
                  .getBytes(StandardCharsets.UTF_8),
              secret));
    }

    Shown first = owner.get(hook);
    assertThat(first.text()).contains("Ignored", "<script>alert(25)</script>");
    assertThat(first.text()).doesNotContain("alert(00)");
    assertThat(first.body()).doesNotContain("<script>alert");
    assertThat(first.body().length()).isLessThan(100_000);
    Matcher older =
        Pattern.compile("href=\"/dashboard([^\"]*cursor=[^\"]*)\"").matcher(first.body());
    assertThat(older.find()).isTrue();
    assertThat(owner.get(older.group(1).replace("&amp;", "&")).text())
        .contains("<script>alert(00)</script>", "Newest")
        .doesNotContain("alert(25)");
    assertThat(owner.get(settings).text())
        .contains("alert(21)", "All that it has told")
        .doesNotContain("alert(20)");
  }

  @Test
  void viewersReadWhatWasToldAndMakeNoSecret() {
    push(made());
    Browser viewer = place.signedIn(place.plane.account, Role.VIEWER);
    Browser stranger = place.signedIn(place.plane.addAccount(), Role.OWNER);

    assertThat(viewer.get(hook).text()).contains("Deployed").doesNotContain("Make a");
    assertThat(viewer.get(settings).text())
        .contains("What the git host has told")
        .doesNotContain(address);
    assertThat(viewer.post(hook, Map.of()).status()).isEqualTo(403);
    assertThat(stranger.get(hook).status()).isEqualTo(403);
    assertThat(stranger.post(hook, Map.of()).status()).isEqualTo(403);
    assertThat(owner.get("/projects/" + ProjectId.next() + "/settings/hook").status())
        .isEqualTo(404);
  }

  private Secret made() {
    Shown made = owner.post(hook, Map.of());
    assertThat(made.status()).isEqualTo(200);
    assertThat(made.text())
        .contains("The git hook has a secret", address, "It is not shown again.");
    Matcher secret = SECRET.matcher(made.body());
    assertThat(secret.find()).isTrue();
    return new Secret(secret.group(1));
  }

  private HookDelivery push(Secret secret) {
    return receive(HostMessages.github("push", HostMessages.body("github/push"), secret));
  }

  private HookDelivery receive(HookRequest message) {
    place.plane.clock.advance(Duration.ofSeconds(1));
    return place.plane.main.hooks.receive(shop.id(), message);
  }
}
