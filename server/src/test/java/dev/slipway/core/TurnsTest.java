package dev.slipway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final AccountId ADA = AccountId.next();
  private static final AccountId BOB = AccountId.next();
  private final Turns turns = new Turns(4);

  @Test
  void anAccountHasHalfOfThePlacesAtMostAndOthersTheRest() throws Exception {
    List<Turns.Turn> adas = List.of(turns.take(ADA), turns.take(ADA));
    CompletableFuture<Turns.Turn> third = waiting(ADA);
    List<Turns.Turn> bobs = List.of(turns.take(BOB), turns.take(BOB));

    assertThat(third).isNotDone();
    bobs.forEach(Turns.Turn::close);
    assertThat(third).isNotDone();
    adas.getFirst().close();
    assertThat(third).succeedsWithin(Duration.ofSeconds(20));
  }

  @Test
  void whoeverDoesNotWaitHasOneOrNot() throws Exception {
    List<Turns.Turn> adas = List.of(turns.take(ADA), turns.tryTake(ADA).orElseThrow());

    assertThat(turns.tryTake(ADA)).isEmpty();
    List<Turns.Turn> bobs =
        List.of(turns.tryTake(BOB).orElseThrow(), turns.tryTake(BOB).orElseThrow());
    adas.getFirst().close();
    assertThat(turns.tryTake(BOB)).isEmpty();
    assertThat(turns.tryTake(ADA)).isPresent();
    assertThat(bobs).hasSize(2);
  }

  @Test
  void whoeverIsInterruptedLeavesNothingBehind() throws Exception {
    List<Turns.Turn> adas = new ArrayList<>(List.of(turns.take(ADA), turns.take(ADA)));
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread waiter =
        Thread.startVirtualThread(() -> {
          try {
            turns.take(ADA).close();
            interrupted.complete(false);
          } catch (InterruptedException e) {
            interrupted.complete(true);
          }
        });
    waiter.interrupt();

    assertThat(interrupted).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
    adas.forEach(Turns.Turn::close);
    List<Turns.Turn> again = List.of(turns.take(ADA), turns.take(ADA));
    assertThat(again).hasSize(2);
  }

  private CompletableFuture<Turns.Turn> waiting(AccountId account) {
    CompletableFuture<Turns.Turn> turn = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        turn.complete(turns.take(account));
      } catch (InterruptedException e) {
        turn.completeExceptionally(e);
      }
    });
    return turn;
  }
}
