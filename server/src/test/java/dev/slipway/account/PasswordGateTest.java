package dev.slipway.account;

import static dev.slipway.account.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AtOnce;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PasswordGateTest {
  private static final Secret PASSWORD = new Secret("difference engine");

  @Test
  void hashingKeepsNoCarrierFromOtherVirtualThreads() throws Exception {
    PasswordGate gate = PasswordGate.forCores();
    AtomicBoolean onVirtual = new AtomicBoolean(true);

    Thread.ofVirtual()
        .start(() -> onVirtual.set(gate.within(() -> Thread.currentThread().isVirtual())))
        .join();

    assertThat(onVirtual).isFalse();
  }

  @Test
  void nobodyIsHashedForWhereAllPlacesAreTaken() throws Exception {
    PasswordGate gate = new PasswordGate(1, Duration.ZERO);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Thread first =
        Thread.ofVirtual()
            .start(() ->
                gate.within(() -> {
                  entered.countDown();
                  return awaited(leave);
                }));
    entered.await();

    assertRefused(() -> gate.hash(PASSWORD), ErrorCode.UNAVAILABLE, "try again");

    leave.countDown();
    first.join();
    assertThat(gate.matches(PASSWORD, Optional.of(gate.hash(PASSWORD)))).isTrue();
  }

  @Test
  void noMoreAreHashedAtOnceThanThereArePlaces() throws Exception {
    PasswordGate gate = new PasswordGate(2, Duration.ofMinutes(1));
    AtomicInteger inside = new AtomicInteger();

    List<Boolean> few =
        AtOnce.run(
            8,
            () ->
                gate.within(() -> {
                  boolean fits = inside.incrementAndGet() <= 2;
                  Passwords.hash(PASSWORD);
                  inside.decrementAndGet();
                  return fits;
                }));

    assertThat(few).hasSize(8).containsOnly(true);
  }

  @Test
  void whatFailsGivesItsPlaceBack() {
    PasswordGate gate = new PasswordGate(1, Duration.ZERO);

    assertThatThrownBy(() ->
            gate.within(() -> {
              throw new IllegalStateException("no memory");
            }))
        .hasRootCauseMessage("no memory");

    assertThat(gate.within(() -> "done")).isEqualTo("done");
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
