package dev.slipway.job;

import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Works off the queues on the test's own thread, one job after the other, by the test's clock. What
 * is to be run again later waits until the clock has been moved.
 */
public final class ManualJobs {
  private static final String NEXT =
      """
      SELECT queue, task_name AS job, task_instance AS subject, execution_time AS due
        FROM (SELECT 'BUILDS' AS queue, * FROM build_tasks
              UNION ALL SELECT 'WORK', * FROM scheduled_tasks
              UNION ALL SELECT 'CHORES', * FROM chore_tasks
              UNION ALL SELECT 'NAMES', * FROM name_tasks
              UNION ALL SELECT 'CERTIFICATES', * FROM certificate_tasks
              UNION ALL SELECT 'REPORTS', * FROM report_tasks
              UNION ALL SELECT 'DATABASES', * FROM database_tasks) waiting
       WHERE execution_time <= :now AND task_name LIKE :job
       ORDER BY due, queue DESC, subject, job LIMIT 1
      """;

  private final Database database;
  private final Clock clock;
  private final Map<String, Job> jobs;

  private record Waiting(String queue, String job, String subject, Instant due) {}

  public ManualJobs(Database database, Clock clock, List<Job> jobs) {
    this.database = database;
    this.clock = clock;
    this.jobs =
        jobs.stream().collect(Collectors.toMap(job -> job.kind().name(), Function.identity()));
  }

  /** Runs jobs until none is due. */
  public void runDue() {
    runAllDue("%");
  }

  /** Runs those of one kind until none is due. */
  public void runDue(Job.Kind job) {
    runAllDue(job.name());
  }

  private void runAllDue(String job) {
    for (Optional<Waiting> next = next(job); next.isPresent(); next = next(job)) {
      run(next.get());
    }
  }

  /** Runs one job, whether it waits in a queue or not, and leaves the queues as they are. */
  public Job.Outcome run(Job.Kind job, String subject) {
    return run(job.name(), subject);
  }

  /** The same, by its name. */
  public Job.Outcome run(String job, String subject) {
    try {
      return job(job).run(subject);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody stops this server", e);
    } finally {
      // As Jobs does: the end of one job's deployment must not interrupt the next job.
      Thread.interrupted();
    }
  }

  /** The subjects of one job that wait, due or not. */
  public List<String> waiting(Job.Kind job) {
    return database.read(tx ->
        tx.createQuery(
                "SELECT task_instance FROM %s WHERE task_name = ? ORDER BY task_instance"
                    .formatted(job.queue().table()))
            .bind(0, job.name())
            .mapTo(String.class)
            .list());
  }

  private Optional<Waiting> next(String job) {
    return database.read(tx ->
        tx.createQuery(NEXT)
            .bind("now", clock.instant())
            .bind("job", job)
            .mapTo(Waiting.class)
            .findOne());
  }

  private void run(Waiting next) {
    try {
      switch (run(next.job(), next.subject())) {
        case Job.Outcome.Done() -> remove(next);
        case Job.Outcome.Again(var after) -> postpone(next, clock.instant().plus(after));
      }
    } catch (TransientException e) {
      postpone(next, clock.instant().plusSeconds(1));
    } catch (RuntimeException e) {
      job(next.job()).giveUp(next.subject(), e);
      remove(next);
    }
  }

  private void remove(Waiting done) {
    database.useTransaction(tx ->
        tx.execute(
            "DELETE FROM %s WHERE task_name = ? AND task_instance = ?".formatted(table(done)),
            done.job(),
            done.subject()));
  }

  private void postpone(Waiting later, Instant due) {
    database.useTransaction(tx ->
        tx.execute(
            "UPDATE %s SET execution_time = ? WHERE task_name = ? AND task_instance = ?"
                .formatted(table(later)),
            due,
            later.job(),
            later.subject()));
  }

  private static String table(Waiting row) {
    return Job.Queue.valueOf(row.queue()).table();
  }

  private Job job(String name) {
    return Optional.ofNullable(jobs.get(name))
        .orElseThrow(() -> new IllegalArgumentException(name + " is none of " + jobs.keySet()));
  }
}
