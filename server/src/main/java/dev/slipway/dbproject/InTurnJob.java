package dev.slipway.dbproject;

import dev.slipway.core.AccountId;
import dev.slipway.core.Turns;
import dev.slipway.job.Job;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** A job that may take hours: whoever asks for many waits for its own, and holds up nobody else. */
final class InTurnJob implements Job {
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final Job job;
  private final Turns turns;
  private final Function<String, Optional<AccountId>> account;

  /**
   * @param account whose turn a subject's run takes; empty where it needs none
   */
  InTurnJob(Job job, Turns turns, Function<String, Optional<AccountId>> account) {
    this.job = job;
    this.turns = turns;
    this.account = account;
  }

  @Override
  public Kind kind() {
    return job.kind();
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    Optional<AccountId> asking = account.apply(subjectId);
    if (asking.isEmpty()) {
      return job.run(subjectId);
    }
    Optional<Turns.Turn> turn = turns.tryTake(asking.get());
    if (turn.isEmpty()) {
      return new Outcome.Again(PAUSE);
    }
    try (Turns.Turn _ = turn.get()) {
      return job.run(subjectId);
    }
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    job.giveUp(subjectId, cause);
  }
}
