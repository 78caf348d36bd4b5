package dev.slipway.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.deployment.Plane;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever length the words of a message have, what is kept of it is short and is text. */
class LongWordsTest {
  private static final String SHIP = "\uD83D\uDEA2";

  private final Plane plane = new Plane();
  private final Project project = plane.project("shop");
  private final Secret secret = plane.main.hooks.renewSecret(plane.account, project.id());

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aReasonIsNotCutInTheMiddleOfACharacter() {
    // With each of the two beginnings another half of a character is at the same place.
    for (String name : List.of("acme/" + SHIP.repeat(600), "acme/x" + SHIP.repeat(600))) {
      HookDelivery taken = receive("push", edited("acme/shop", name));

      assertThat(taken.reason()).startsWith("The push was to " + name.substring(0, 20));
      assertThat(taken.reason().codePoints()).hasSize(500).noneMatch(LongWordsTest::isHalf);
      assertThat(listed().getFirst()).isEqualTo(taken);
    }
  }

  @Test
  void theNameOfAnEventIsCut() {
    HookDelivery taken = receive("x".repeat(5_000), HostMessages.body("github/push"));

    assertThat(taken.event()).isEqualTo("x".repeat(100));
    assertThat(listed()).containsExactly(taken);
  }

  @Test
  void aCommitThatIsNamedLikeNoneIsNotKept() {
    String before = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";

    // Of letters that do not repeat, as the store presses those that do.
    StringBuilder name = new StringBuilder();
    new Random(1).ints(20_000, 'a', 'z').forEach(name::appendCodePoint);
    HookDelivery taken = receive("push", edited(before, name.toString()));

    assertThat(taken.outcome()).isEqualTo(Outcome.DEPLOYED);
    assertThat(plane.count("hook_delivery WHERE branch = 'main' AND before_sha IS NULL")).isOne();
  }

  @Test
  void aMessageOfMorePartsThanAnyHostSendsIsRefused() {
    byte[] crumbs =
        "{\"x\":[%s{}]}".formatted("{},".repeat(300_000)).getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> receive("push", crumbs))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("more than 500000 parts");
  }

  @Test
  void aPushOfManyFilesIsRead() {
    String files = "\"src/main/java/org/example/shop/Cart.java\",".repeat(100_000);

    assertThat(receive("push", edited("\"modified\": [", "\"modified\": [" + files)).outcome())
        .isEqualTo(Outcome.DEPLOYED);
  }

  private static boolean isHalf(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  private static byte[] edited(String from, String to) {
    return new String(HostMessages.body("github/push"), StandardCharsets.UTF_8)
        .replace(from, to)
        .getBytes(StandardCharsets.UTF_8);
  }

  private HookDelivery receive(String event, byte[] body) {
    return plane.main.hooks.receive(project.id(), HostMessages.github(event, body, secret));
  }

  private List<HookDelivery> listed() {
    return plane.main.hooks.list(plane.account, project.id(), Optional.empty(), 100);
  }
}
