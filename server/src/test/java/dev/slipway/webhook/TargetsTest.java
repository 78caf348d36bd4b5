package dev.slipway.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AccountId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TargetsTest {
  private final CountDownLatch over = new CountDownLatch(1);

  @Test
  void anAccountWhoseNamesHangLeavesRoomForOthers() throws Exception {
    AccountId hanging = new AccountId("acc_1");
    try (Targets targets = new Targets(true, this::lookUp, Duration.ofMillis(20))) {
      for (int name = 0; name < Targets.MOST_HANGING; name++) {
        assertThatThrownBy(() -> targets.of(hanging, "hangs.example"))
            .isInstanceOf(Unanswered.class);
      }

      assertThatThrownBy(() -> targets.of(hanging, "hangs.example")).isInstanceOf(Crowded.class);
      assertThatThrownBy(() -> targets.of(new AccountId("acc_2"), "hangs.example"))
          .isInstanceOf(Unanswered.class);
    } finally {
      over.countDown();
    }
  }

  @Test
  void aNameIsNoFailureWhereNobodyCanLookItUp() {
    Targets closed = new Targets(true);
    closed.close();

    assertThatThrownBy(() -> closed.of(new AccountId("acc_1"), "localhost"))
        .isInstanceOf(Crowded.class);
    assertThat(over.getCount()).isOne();
  }

  private InetAddress[] lookUp(String host) throws UnknownHostException {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new UnknownHostException(host);
  }
}
