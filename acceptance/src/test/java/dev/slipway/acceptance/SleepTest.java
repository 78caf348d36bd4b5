package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A project whose program is stopped when nobody asks for it. */
@ExtendWith(SharedSlipway.class)
final class SleepTest {
  private static final int VISITORS = 32;
  private static final int SECONDS = 5;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final SlipwayProcess slipway;

  SleepTest(SlipwayProcess slipway) {
    this.slipway = slipway;
  }

  @Test
  void itSleepsUntilManyAskForItAtOnceAndAllAreAnswered() throws Exception {
    App app = slipway.migrate(ExpressApp.named("shop"));
    int port = Integer.parseInt(slipway.visit(app.host(), "/port").body());
    try (OpenStream stream = OpenStream.events(app)) {
      maySleep(app);
      Instant bedtime = Instant.now().plusSeconds(SECONDS + 2);
      while (Instant.now().isBefore(bedtime)) {
        stream.awaitMore();
      }
    }
    Wait.until("it sleeps", LIMIT, () -> !SlipwayProcess.listens(port));

    List<Reply> replies = new ArrayList<>();
    try (ExecutorService visitors = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Reply> visit = () -> slipway.visit(app.host(), "/born");
      for (Future<Reply> reply : visitors.invokeAll(Collections.nCopies(VISITORS, visit))) {
        replies.add(reply.get());
      }
    }

    assertThat(replies).allMatch(reply -> reply.status() == 200);
    assertThat(replies.stream().map(Reply::body).distinct()).hasSize(1);
    assertThat(app.visit().body()).isEqualTo("shop plain");
  }

  private void maySleep(App app) {
    Reply reply =
        slipway
            .api()
            .send(
                slipway
                    .api()
                    .request("/v1/projects/" + app.project())
                    .header("Content-Type", "application/json")
                    .method(
                        "PATCH",
                        BodyPublishers.ofString(
                            "{\"sleep_after_seconds\": %d}".formatted(SECONDS))));
    assertThat(reply.status()).isEqualTo(200);
  }
}
