package dev.slipway.database;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * What a server of somebody else's is asked: a driver's own limits are for each piece of an answer,
 * and who sends piece by piece is never too late by them.
 */
public final class TimedAnswer {
  private TimedAnswer() {}

  /**
   * @param limit for all of it
   * @param question asked on a thread of its own, interrupted when it takes too long
   * @param tooLate what is thrown then
   */
  public static <T> T within(
      Duration limit, Supplier<T> question, Supplier<? extends RuntimeException> tooLate)
      throws InterruptedException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    // What waits for a socket on a virtual thread is ended by an interrupt.
    Thread asking =
        Thread.ofVirtual()
            .name("question to a database")
            .start(() -> {
              try {
                answer.complete(question.get());
              } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
              }
            });
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw tooLate.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    } finally {
      asking.interrupt();
    }
  }
}
