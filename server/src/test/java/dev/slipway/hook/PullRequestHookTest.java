package dev.slipway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Secret;
import dev.slipway.deployment.Plane;
import dev.slipway.hook.PullRequest.Action;
import dev.slipway.project.Project;
import dev.slipway.source.RepoName;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of pull requests, with messages as the hosts' documentation shows them. */
class PullRequestHookTest {
  private static final String HEAD = "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70";
  private static final String NEXT = "5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081";

  private final Plane plane = new Plane();
  private final Project project = plane.project("shop");
  private final Secret secret = plane.main.hooks.renewSecret(plane.account, project.id());

  @AfterEach
  void close() {
    plane.close();
  }

  @ParameterizedTest
  @CsvSource({
    "github/pull_request-opened, 7, grace, https://github.com/acme/shop/pull/7",
    "gitlab/merge_request-open, 7, grace, https://gitlab.example.org/acme/shop/-/merge_requests/7",
    "gitea/pull_request-opened, 1, ada, https://gitea.example.org/acme/shop/pulls/1",
  })
  void oneThatIsOpenedIsReadWhole(String file, int number, String author, URI page) {
    HookDelivery taken = receive(file);

    assertThat(taken.outcome()).isEqualTo(Outcome.PREVIEW);
    assertThat(taken.previewId()).isPresent();
    assertThat(plane.main.pullRequests.told())
        .containsExactly(
            new PullRequest(
                number,
                "The cart can be emptied",
                Action.OPENED,
                Optional.of(new RepoName("acme/shop")),
                "empty-cart",
                HEAD,
                "main",
                false,
                author,
                page));
  }

  @ParameterizedTest
  @CsvSource({
    "github/pull_request-synchronize, UPDATED",
    "github/pull_request-reopened, OPENED",
    "github/pull_request-closed, CLOSED",
    "gitlab/merge_request-update, UPDATED",
    "gitlab/merge_request-merge, CLOSED",
    "gitea/pull_request-synchronized, UPDATED",
    "gitea/pull_request-reopened, OPENED",
    "gitea/pull_request-closed, CLOSED",
    "gitea/pull_request-merged, CLOSED",
  })
  void whatHappensToItLaterIsToldWithItsNewestCommit(String file, Action action) {
    var _ = receive(file);

    PullRequest told = plane.main.pullRequests.told().getFirst();
    assertThat(told.action()).isEqualTo(action);
    assertThat(told.headSha()).isEqualTo(NEXT);
  }

  @ParameterizedTest
  @CsvSource({"gitlab/merge_request-close, CLOSED", "gitlab/merge_request-reopen, OPENED"})
  void soIsWhatGitlabSaysOfItsState(String file, Action action) {
    var _ = receive(file);

    assertThat(plane.main.pullRequests.told().getFirst().action()).isEqualTo(action);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "github/pull_request-opened-fork",
        "gitlab/merge_request-open-fork",
        "gitea/pull_request-opened-fork",
      })
  void oneFromAForkIsKnownForOne(String file) {
    var _ = receive(file);

    PullRequest told = plane.main.pullRequests.told().getFirst();
    assertThat(told.fork()).isTrue();
    assertThat(told.headRepo()).contains(new RepoName("eve/shop"));
  }

  @Test
  void oneWhoseForkIsGoneCanStillBeClosed() {
    var _ = receive("github/pull_request-closed-fork-gone");

    PullRequest told = plane.main.pullRequests.told().getFirst();
    assertThat(told.action()).isEqualTo(Action.CLOSED);
    assertThat(told.headRepo()).isEmpty();
    assertThat(told.fork()).isTrue();
  }

  @Test
  void oneThatShallGoIntoAnotherBranchIsLookedAtAgain() {
    var _ = receive("github/pull_request-edited-base");

    assertThat(plane.main.pullRequests.told().getFirst().action()).isEqualTo(Action.UPDATED);
  }

  @ParameterizedTest
  @CsvSource({
    "github/pull_request-labeled, labeled",
    "gitlab/merge_request-update-title, edited",
    "gitea/pull_request-edited-title, edited",
  })
  void whatChangesNoCommitIsIgnored(String file, String action) {
    HookDelivery taken = receive(file);

    assertThat(taken.outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(taken.reason())
        .isEqualTo("The pull request was %s, which changes none of its commits.".formatted(action));
    assertThat(plane.main.pullRequests.told()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "github/pull_request-skip, Pull request 7 says [skip deploy].",
    "gitlab/merge_request-skip, Pull request 7 says [ci skip].",
  })
  void oneThatAsksForNothingGetsNothing(String file, String reason) {
    HookDelivery taken = receive(file);

    assertThat(taken.outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(taken.reason()).isEqualTo(reason);
    assertThat(plane.main.pullRequests.told()).isEmpty();
  }

  @Test
  void oneToAnotherRepositoryIsIgnored() {
    HookDelivery taken = receive("github/pull_request-opened", "acme/shop", "acme/blog");

    assertThat(taken.outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(taken.reason())
        .isEqualTo("The pull request is to acme/blog, which the project does not come from.");
  }

  @ParameterizedTest
  @CsvSource({
    "\"https://github.com/acme/shop/pull/7\",\"javascript:alert(1)\"",
    "\"empty-cart\",\"--upload-pack=touch\"",
    HEAD + ",HEAD",
  })
  void oneWithAddressesOrNamesThatCouldDoHarmIsIgnored(String from, String to) {
    HookDelivery taken = receive("github/pull_request-opened", from, to);

    assertThat(taken.outcome()).as(taken.reason()).isEqualTo(Outcome.IGNORED);
    assertThat(plane.main.pullRequests.told()).isEmpty();
  }

  @Test
  void aTitleWithoutEndIsCut() {
    var _ = receive("github/pull_request-opened", "The cart can be emptied", "x".repeat(100_000));

    assertThat(plane.main.pullRequests.told().getFirst().title()).hasSize(255);
  }

  private HookDelivery receive(String file) {
    return receive(file, "", "");
  }

  private HookDelivery receive(String file, String from, String to) {
    String text = new String(HostMessages.body(file), StandardCharsets.UTF_8);
    byte[] body = (from.isEmpty() ? text : text.replace(from, to)).getBytes(StandardCharsets.UTF_8);
    HookRequest message =
        switch (file.substring(0, file.indexOf('/'))) {
          case "github" -> HostMessages.github("pull_request", body, secret);
          case "gitlab" -> HostMessages.gitlab("Merge Request Hook", body, secret);
          default -> HostMessages.gitea("pull_request", body, secret);
        };
    return plane.main.hooks.receive(project.id(), message);
  }
}
