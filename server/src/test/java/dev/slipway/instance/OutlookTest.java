package dev.slipway.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.edge.Probe;
import dev.slipway.instance.Outlook.Prospect;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutlookTest {
  private static final int PORT = 20_001;
  private static final List<Probe> REFUSED = List.of(new Probe.Refused(), new Probe.Refused());

  private final Outlook outlook = new Outlook(Patience.of(Duration.ofSeconds(60)));

  @Test
  void whatListensElsewhereIsToldAfterThreeSecondsAndOnce() {
    looks(0, 2, REFUSED, Set.of(3000));
    assertThat(outlook.worthTelling()).isFalse();

    looks(3, 3, REFUSED, Set.of(3000));
    assertThat(outlook.worthTelling()).isTrue();
    assertThat(outlook.sight().sentence())
        .isEqualTo("The program listens on port 3000 and not on 20001, which PORT names");

    looks(4, 30, REFUSED, Set.of(3000));
    assertThat(outlook.worthTelling()).isFalse();
  }

  @Test
  void whatListensElsewhereForTenSecondsIsDoubtful() {
    looks(1, 10, REFUSED, Set.of(3000));
    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);

    looks(11, 11, REFUSED, Set.of(3000));
    assertThat(outlook.prospect()).isEqualTo(Prospect.DOUBTFUL);
  }

  @Test
  void aFurtherPortIsWaitedForAnew() {
    looks(1, 9, REFUSED, Set.of(9229));
    looks(10, 19, REFUSED, Set.of(9229, 9464));

    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);
  }

  @Test
  void aProgramThatPrintsIsAtWork() {
    for (int second = 1; second < 30; second++) {
      outlook.look(
          Duration.ofSeconds(second),
          Sight.of(REFUSED, Set.of(3000), PORT, "/"),
          List.of("building page " + second / 5));
    }

    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);
    assertThat(outlook.worthTelling()).isTrue();
  }

  @Test
  void whatListensWhereTheHostDoesNotReachItIsGivenUpAfterTenSeconds() {
    looks(1, 10, REFUSED, Set.of(PORT, 3000));
    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);

    looks(11, 11, REFUSED, Set.of(PORT, 3000));
    assertThat(outlook.prospect()).isEqualTo(Prospect.NONE);
    assertThat(outlook.sight().sentence()).contains("not at 127.0.0.1");
  }

  @Test
  void twentySecondsOfOneFaultAreEnough() {
    looks(1, 20, answered(500), Set.of(PORT));
    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);

    looks(21, 21, answered(500), Set.of(PORT));
    assertThat(outlook.prospect()).isEqualTo(Prospect.NONE);
  }

  @Test
  void anythingElseInBetweenBeginsTheTwentySecondsAnew() {
    looks(1, 15, answered(500), Set.of(PORT));
    looks(16, 16, List.of(new Probe.Answered(500), new Probe.Refused()), Set.of(PORT));
    looks(17, 30, answered(500), Set.of(PORT));
    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);

    looks(31, 45, answered(501), Set.of(PORT));
    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void whatSaysThatItIsNotReadyYetHasAllOfItsTime(int status) {
    looks(1, 59, answered(status), Set.of(PORT));

    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);
    assertThat(outlook.worthTelling()).isTrue();
    assertThat(outlook.sight().sentence())
        .isEqualTo("The program answers GET / with status " + status);
  }

  @Test
  void aProgramThatOpensNoPortOrTakesItsTimeForTheFirstAnswerHasAllOfItsTime() {
    looks(1, 20, REFUSED, Set.of());
    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);
    looks(21, 40, List.of(), Set.of(PORT)); // it took the connection and compiles
    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);
    looks(41, 59, List.of(new Probe.Silent()), Set.of(PORT));

    assertThat(outlook.prospect()).isEqualTo(Prospect.OPEN);
    assertThat(outlook.worthTelling()).isFalse();
  }

  private void looks(int first, int last, List<Probe> tries, Set<Integer> ports) {
    for (int second = first; second <= last; second++) {
      outlook.look(
          Duration.ofSeconds(second), Sight.of(tries, ports, PORT, "/"), List.of("listening"));
    }
  }

  private static List<Probe> answered(int status) {
    return List.of(new Probe.Answered(status));
  }
}
