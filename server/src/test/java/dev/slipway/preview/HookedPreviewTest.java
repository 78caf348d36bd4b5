package dev.slipway.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.deployment.Plane;
import dev.slipway.hook.GitHooks;
import dev.slipway.hook.HookDelivery;
import dev.slipway.hook.HookRequest;
import dev.slipway.hook.HostMessages;
import dev.slipway.hook.Outcome;
import dev.slipway.project.Previews;
import dev.slipway.project.ProjectStore;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From what git hosts send, as their documentation shows it, to the preview. */
class HookedPreviewTest {
  private static final String HEAD = "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70";
  private static final String NEXT = "5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081";

  private final Plane plane = new Plane();
  private final PreviewPlace shop = new PreviewPlace(plane, plane.project("shop"));
  private final GitHooks hooks =
      new GitHooks(
          plane.database,
          plane.vault,
          new ProjectStore(plane.vault),
          plane.main.service(),
          plane.main.previews.pullRequests(),
          plane.clock);
  private final Secret secret = hooks.renewSecret(plane.account, shop.project().id());
  private int messages;

  @AfterEach
  void close() {
    plane.close();
  }

  @ParameterizedTest
  @CsvSource({
    "github, 7, pull_request-opened, pull_request-synchronize, pull_request-closed",
    "gitlab, 7, merge_request-open, merge_request-update, merge_request-merge",
    "gitea, 1, pull_request-opened, pull_request-synchronized, pull_request-closed",
  })
  void itIsMadeAndBroughtUpToDateAndRemoved(
      String host, int number, String opened, String updated, String closed) {
    HookDelivery made = receive(host, opened);
    PreviewId id = made.previewId().orElseThrow();
    plane.main.jobs.runDue();
    Preview live = shop.read(id);
    assertThat(made.outcome()).isEqualTo(Outcome.PREVIEW);
    assertThat(live.status()).isEqualTo(PreviewStatus.LIVE);
    assertThat(live.head().number()).isEqualTo(number);
    assertThat(live.head().title()).isEqualTo("The cart can be emptied");
    assertThat(live.head().commitSha()).isEqualTo(HEAD);

    assertThat(receive(host, updated).previewId()).contains(id);
    plane.main.jobs.runDue();
    assertThat(shop.read(id).head().commitSha()).isEqualTo(NEXT);
    assertThat(shop.newest(shop.read(id)).code().requestedSha()).contains(NEXT);
    assertThat(shop.read(id).label()).isEqualTo(live.label());

    assertThat(receive(host, closed).previewId()).contains(id);
    plane.main.jobs.runDue();
    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.REMOVED);
    assertThat(plane.main.runtime.running()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "github, pull_request-opened-fork",
    "gitlab, merge_request-open-fork",
    "gitea, pull_request-opened-fork",
  })
  void aForkIsBuiltFromItsOwnRepositoryWhereThatIsAllowed(String host, String opened) {
    assertThat(receive(host, opened).outcome()).isEqualTo(Outcome.IGNORED);

    shop.set(Previews.UNLISTED, true);
    Preview preview = shop.read(receive(host, opened).previewId().orElseThrow());

    assertThat(preview.head().fork()).isTrue();
    assertThat(shop.behind(preview).repo().orElseThrow().value()).isEqualTo("eve/shop");
  }

  @Test
  void itIsRemovedAlsoWhereTheForkIsGone() {
    shop.set(Previews.UNLISTED, true);
    PreviewId id = receive("github", "pull_request-opened-fork").previewId().orElseThrow();

    assertThat(receive("github", "pull_request-closed-fork-gone").previewId()).contains(id);
    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.REMOVED);
  }

  @Test
  void whatIsBehindAPreviewHasNoHook() {
    Preview live = shop.live(7);
    HookRequest message = message("github", "pull_request-opened");
    ProjectId behind = live.own().orElseThrow();

    RequestException refused =
        catchThrowableOfType(RequestException.class, () -> hooks.receive(behind, message));

    assertThat(refused.code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  /** Another message each time: one that was taken does nothing once more. */
  private HookDelivery receive(String host, String file) {
    return hooks.receive(shop.project().id(), message(host, file));
  }

  private HookRequest message(String host, String file) {
    // Its white space makes no other message of it, but other bytes.
    byte[] body =
        (new String(HostMessages.body(host + "/" + file), StandardCharsets.UTF_8)
                + " ".repeat(messages++))
            .getBytes(StandardCharsets.UTF_8);
    return switch (host) {
      case "github" -> HostMessages.github("pull_request", body, secret);
      case "gitlab" -> HostMessages.gitlab("Merge Request Hook", body, secret);
      default -> HostMessages.gitea("pull_request", body, secret);
    };
  }
}
