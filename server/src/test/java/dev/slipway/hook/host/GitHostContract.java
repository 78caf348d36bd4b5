package dev.slipway.hook.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.Secret;
import dev.slipway.hook.host.CommitStatus.State;
import dev.slipway.source.RepoName;
import java.net.URI;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every git host must do that is told something. */
abstract class GitHostContract {
  private static final URI TARGET = URI.create("https://slipway.example.org/dashboard/x?a=1&b=2");

  /** A host may be one that others have used before. */
  private final String context = "slipway/shop " + UUID.randomUUID();

  private final GitHostPlace place = place();
  private final GitHostApi api = place.api(place.token());

  abstract GitHostPlace place();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void aStatusIsShownBesideItsCommit() throws Exception {
    tell(State.PENDING, "Is being built.");

    assertThat(place.statuses())
        .contains(
            new GitHostPlace.Shown(State.PENDING, context, "Is being built.", TARGET.toString()));
  }

  @Test
  void aLaterStatusTakesThePlaceOfAnEarlierOne() throws Exception {
    tell(State.PENDING, "Is being built.");
    tell(State.PENDING, "Is being started.");
    tell(State.SUCCESS, "Live at https://shop.example.org — „schön“");

    assertThat(place.statuses())
        .filteredOn(it -> it.context().equals(context))
        .containsExactly(
            new GitHostPlace.Shown(
                State.SUCCESS,
                context,
                "Live at https://shop.example.org — „schön“",
                TARGET.toString()));
  }

  @Test
  void aFailureIsShownAsOne() throws Exception {
    tell(State.FAILURE, "npm run build\nended with 1.");

    assertThat(place.statuses())
        .contains(
            new GitHostPlace.Shown(
                State.FAILURE, context, "npm run build ended with 1.", TARGET.toString()));
  }

  @Test
  void whatIsToldTwiceIsNoFault() throws Exception {
    tell(State.SUCCESS, "Live.");
    tell(State.SUCCESS, "Live.");

    assertThat(place.statuses()).filteredOn(it -> it.context().equals(context)).hasSize(1);
  }

  @Test
  void aDescriptionWithoutEndIsCut() throws Exception {
    tell(State.FAILURE, "𝒙".repeat(10_000));

    assertThat(place.statuses())
        .filteredOn(it -> it.context().equals(context))
        .singleElement()
        .satisfies(it -> assertThat(it.description()).endsWith("𝒙…"));
  }

  @Test
  void oneCommentIsMadeAndThenChanged() throws Exception {
    int before = place.comments().size();
    String made = say(Optional.empty(), "**Preview**: is being built\n\n- Log: https://a/b\n");

    String changed = say(Optional.of(made), "**Preview**: live ✓");

    assertThat(changed).isEqualTo(made);
    assertThat(place.comments()).hasSize(before + 1);
    assertThat(place.comments())
        .contains(new GitHostPlace.Said(made, comment("**Preview**: live ✓").body()));
  }

  @Test
  void aCommentThatIsGoneIsMadeAnew() throws Exception {
    String first = say(Optional.empty(), "first");
    place.delete(new GitHostPlace.Said(first, "first"));

    String second = say(Optional.of(first), "second");

    assertThat(second).isNotEqualTo(first);
    assertThat(place.comments()).contains(new GitHostPlace.Said(second, comment("second").body()));
  }

  @Test
  void aCommentWhoseMakingWasNotToldIsFoundAgain() throws Exception {
    int before = place.comments().size();
    String made = say(Optional.empty(), "first");
    var _ = say(Optional.empty(), new Comment(context + " other", "> " + comment("x").body()));

    String again = say(Optional.empty(), "second");

    assertThat(again).isEqualTo(made);
    assertThat(place.comments()).hasSize(before + 2);
    assertThat(place.comments()).contains(new GitHostPlace.Said(made, comment("second").body()));
  }

  @Test
  void oneIsFoundBehindManyOthers() throws Exception {
    for (int i = 0; i < 60; i++) {
      var _ = say(Optional.empty(), new Comment(context + " " + i, "of somebody else"));
    }
    String made = say(Optional.empty(), "first");

    assertThat(say(Optional.empty(), "second")).isEqualTo(made);
  }

  @Test
  void aTokenThatIsNoneIsRefused() {
    GitHostApi other = place.api(new Secret("wrong"));

    assertThatThrownBy(
            () -> other.status(place.repo(), place.commit(), status(State.SUCCESS, "Live.")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("401")
        .hasMessageNotContaining("wrong");
    assertThatThrownBy(() ->
            other.comment(place.repo(), place.pullRequest(), Optional.empty(), comment("text")))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void aRepositoryThatIsNotThereIsRefused() {
    RepoName none = new RepoName("acme/h-no-such-repository");

    assertThatThrownBy(() -> api.status(none, place.commit(), status(State.SUCCESS, "Live.")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("404");
    assertThatThrownBy(() -> api.comment(none, 1, Optional.empty(), comment("text")))
        .isInstanceOf(RefusedException.class);
  }

  private void tell(State state, String description) throws InterruptedException {
    api.status(place.repo(), place.commit(), status(state, description));
  }

  private CommitStatus status(State state, String description) {
    return new CommitStatus(state, context, description, TARGET);
  }

  private Comment comment(String text) {
    return new Comment(context, text);
  }

  private String say(Optional<String> earlier, Comment comment) throws InterruptedException {
    return api.comment(place.repo(), place.pullRequest(), earlier, comment);
  }

  private String say(Optional<String> earlier, String text) throws InterruptedException {
    return say(earlier, comment(text));
  }
}
