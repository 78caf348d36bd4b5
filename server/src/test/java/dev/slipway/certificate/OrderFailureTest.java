package dev.slipway.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.exception.AcmeNetworkException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.shredzone.acme4j.toolbox.JSON;

class OrderFailureTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @Test
  void aRefusalIsTriedAgainWithGrowingPauses() throws IOException {
    AcmeServerException refused = new AcmeServerException(problem());

    assertThat(OrderFailure.of(refused, 0, NOW).problem())
        .isEqualTo("The certificate authority refused: too many");
    assertThat(OrderFailure.of(refused, 0, NOW).pause()).isEqualTo(Duration.ofMinutes(5));
    assertThat(OrderFailure.of(refused, 2, NOW).pause()).isEqualTo(Duration.ofMinutes(20));
    assertThat(OrderFailure.of(refused, 1000, NOW).pause()).isEqualTo(Duration.ofHours(12));
    assertThat(OrderFailure.refused("x".repeat(1000), 0).problem()).hasSizeLessThan(400);
  }

  @Test
  void anAuthorityThatAsksToWaitIsWaitedFor() throws IOException {
    assertThat(limited(NOW.plusSeconds(7200)).pause()).isEqualTo(Duration.ofHours(2));
    assertThat(limited(null).pause()).isEqualTo(Duration.ofHours(1));
    assertThat(limited(NOW.minusSeconds(1)).pause()).isEqualTo(Duration.ofHours(1));
    assertThat(limited(NOW.plus(Duration.ofDays(400))).pause()).isEqualTo(Duration.ofDays(7));
    assertThat(limited(null).problem()).startsWith("The certificate authority asks to wait");
  }

  @Test
  void anAuthorityThatIsNotReachedIsTriedAgainSoon() {
    OrderFailure failure =
        OrderFailure.of(new AcmeNetworkException(new IOException("refused")), 1, NOW);

    assertThat(failure.pause()).isEqualTo(Duration.ofMinutes(2));
    assertThat(failure.problem()).contains("was not reached");
  }

  private static OrderFailure limited(@Nullable Instant retryAfter) throws IOException {
    return OrderFailure.of(new AcmeRateLimitedException(problem(), retryAfter, List.of()), 0, NOW);
  }

  private static Problem problem() throws IOException {
    URL base = URI.create("https://acme.example.org/").toURL();
    return new Problem(
        JSON.parse("{\"type\": \"urn:ietf:params:acme:error:x\", \"detail\": \"too many\"}"), base);
  }
}
