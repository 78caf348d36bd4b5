package dev.slipway.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AccountId;
import dev.slipway.core.WebhookId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SlotsTest {
  private static final Duration QUICK = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(15);

  private final Slots slots = new Slots();
  private Instant now = Instant.parse("2026-11-21T09:30:00Z");

  @Test
  void anEndpointHasEightAnAccountTwentyFourAndAllTogetherAHundredAndNinetyTwo() {
    assertThat(given(endpoints("a", 1))).isEqualTo(8);
    assertThat(given(endpoints("a", 10))).isEqualTo(24);
    assertThat(given(many(20, 10))).isEqualTo(192);
  }

  @Test
  void thoseThatLetUsWaitHaveAPartOfTheirOwn() {
    List<Endpoint> slow = endpoints("a", 9);
    slow.forEach(endpoint -> end(endpoint, LONG));
    assertThat(given(slow)).isEqualTo(8);
    assertThat(given(both(endpoints("a", 9), slow))).isEqualTo(32);

    List<Endpoint> many = many(20, 4);
    many.forEach(endpoint -> end(endpoint, LONG));
    assertThat(given(many)).isEqualTo(64);
    assertThat(given(both(many(20, 4), many))).isEqualTo(256);
  }

  @Test
  void whoeverIsQuickGetsAsMuchBesideThemAsWithoutThem() {
    List<Endpoint> quick = endpoints("a", 9);
    List<Endpoint> slow = endpoints("a", 9);
    slow.forEach(endpoint -> end(endpoint, LONG));
    take(slots.shares(slow, now));

    Map<Endpoint, Integer> beside = slots.shares(both(slow, quick), now);

    assertThat(beside).isEqualTo(new Slots().shares(quick, now));
  }

  @Test
  void whatIsUnderWayCounts() {
    Endpoint endpoint = endpoints("a", 1).getFirst();
    IntStream.range(0, 5).forEach(_ -> slots.take(endpoint, now));
    assertThat(slots.shares(List.of(endpoint), now)).isEqualTo(Map.of(endpoint, 3));

    slots.free(endpoint, QUICK, now);
    assertThat(slots.shares(List.of(endpoint), now)).isEqualTo(Map.of(endpoint, 4));
    IntStream.range(0, 4).forEach(_ -> slots.free(endpoint, QUICK, now));
    assertThat(slots.isEmpty()).isTrue();
  }

  @Test
  void theyAreDealtOutOneByOne() {
    List<Endpoint> ten = endpoints("a", 10);

    Map<Endpoint, Integer> shares = slots.shares(ten, now);

    assertThat(shares.values()).allMatch(share -> share == 2 || share == 3);
    assertThat(shares.get(ten.getFirst())).isEqualTo(3);
  }

  @Test
  void oneThatAnswersNothingForASecondCountsAsSlowBeforeItsTimeIsOver() {
    List<Endpoint> dead = endpoints("a", 3);
    take(slots.shares(dead, now));
    List<Endpoint> others = endpoints("a", 9);
    assertThat(given(others)).isZero();

    now = now.plusMillis(1001);

    assertThat(given(others)).as("32 less the 24 that wait").isEqualTo(8);
    dead.forEach(endpoint -> IntStream.range(0, 8).forEach(_ -> end(endpoint, LONG)));
    assertThat(given(others)).isEqualTo(24);
  }

  @Test
  void oneThatIsQuickAgainHasItsPartAgain() {
    List<Endpoint> some = endpoints("a", 3);
    some.forEach(endpoint -> end(endpoint, LONG));
    assertThat(given(some)).isEqualTo(8);

    some.forEach(endpoint -> end(endpoint, QUICK));

    assertThat(given(some)).isEqualTo(24);
  }

  private void take(Map<Endpoint, Integer> shares) {
    shares.forEach(
        (endpoint, share) -> IntStream.range(0, share).forEach(_ -> slots.take(endpoint, now)));
  }

  private void end(Endpoint endpoint, Duration took) {
    slots.free(endpoint, took, now);
  }

  private int given(List<Endpoint> endpoints) {
    return slots.shares(endpoints, now).values().stream().mapToInt(Integer::intValue).sum();
  }

  private static List<Endpoint> both(List<Endpoint> some, List<Endpoint> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private static List<Endpoint> endpoints(String account, int count) {
    return IntStream.range(0, count)
        .mapToObj(_ -> new Endpoint(WebhookId.next(), new AccountId(account)))
        .toList();
  }

  private static List<Endpoint> many(int accounts, int each) {
    return IntStream.range(0, accounts)
        .mapToObj(number -> endpoints("account " + number, each))
        .flatMap(List::stream)
        .toList();
  }
}
