package dev.slipway.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AccountId;
import dev.slipway.core.WebhookId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SlotsTest {
  private static final Duration QUICK = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(15);

  private final Slots slots = new Slots();

  @Test
  void anEndpointHasEightAnAccountThirtyTwoAndAllTogetherTwoHundredAndFiftySix() {
    assertThat(given(endpoints("a", 1))).isEqualTo(8);
    assertThat(given(endpoints("a", 10))).isEqualTo(32);
    assertThat(given(many(20, 10))).isEqualTo(256);
  }

  @Test
  void whatIsUnderWayCounts() {
    Endpoint endpoint = endpoints("a", 1).getFirst();
    IntStream.range(0, 5).forEach(_ -> slots.take(endpoint));
    assertThat(slots.shares(List.of(endpoint))).isEqualTo(Map.of(endpoint, 3));

    slots.free(endpoint, QUICK);
    assertThat(slots.shares(List.of(endpoint))).isEqualTo(Map.of(endpoint, 4));
    IntStream.range(0, 4).forEach(_ -> slots.free(endpoint, QUICK));
    assertThat(slots.isEmpty()).isTrue();
  }

  @Test
  void theyAreDealtOutOneByOne() {
    List<Endpoint> ten = endpoints("a", 10);

    Map<Endpoint, Integer> shares = slots.shares(ten);

    assertThat(shares.values()).allMatch(share -> share == 3 || share == 4);
    assertThat(shares.get(ten.getFirst())).isEqualTo(4);
  }

  @Test
  void endpointsThatLetUsWaitLeaveHalfToTheOthers() {
    List<Endpoint> slow = endpoints("a", 9);
    slow.forEach(endpoint -> {
      slots.take(endpoint);
      slots.free(endpoint, LONG);
    });
    Map<Endpoint, Integer> shares = slots.shares(slow);
    assertThat(shares.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(16);
    shares.forEach(
        (endpoint, share) -> IntStream.range(0, share).forEach(_ -> slots.take(endpoint)));

    List<Endpoint> quick = endpoints("a", 2);
    assertThat(given(quick)).isEqualTo(16);
    assertThat(given(slow)).isZero();
  }

  @Test
  void inAllTheyHaveHalfToo() {
    List<Endpoint> slow = many(20, 4);
    slow.forEach(endpoint -> slots.free(endpoint, LONG));

    assertThat(given(slow)).isEqualTo(128);
    assertThat(given(Stream.concat(slow.stream(), many(20, 4).stream()).toList())).isEqualTo(256);
  }

  @Test
  void oneThatIsQuickAgainHasItsPartAgain() {
    List<Endpoint> some = endpoints("a", 4);
    some.forEach(endpoint -> slots.free(endpoint, LONG));
    assertThat(given(some)).isEqualTo(16);

    some.forEach(endpoint -> slots.free(endpoint, QUICK));

    assertThat(given(some)).isEqualTo(32);
  }

  private int given(List<Endpoint> endpoints) {
    return slots.shares(endpoints).values().stream().mapToInt(Integer::intValue).sum();
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
