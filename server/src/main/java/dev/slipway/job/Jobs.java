package dev.slipway.job;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durable jobs of this server: scheduled in the transaction that asks for them, run here or by
 * another replica, taken over when the one that runs them dies. Thread-safe.
 */
public final class Jobs {
  private static final Logger log = LoggerFactory.getLogger(Jobs.class);
  private static final String CHANNEL = "slipway_jobs";
  private static final int MAX_RETRIES = 8;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final Duration MAX_BACK_OFF = Duration.ofSeconds(30);

  // Of a job whose worker was killed: taken over after four heartbeats, by whoever is there; the
  // worker itself, started again under its name, does not wait for that.
  private static final String TAKE_BACK =
      """
      UPDATE %s
         SET picked = false, picked_by = NULL, last_heartbeat = NULL, version = version + 1
       WHERE picked AND picked_by = ?
      """;

  // As the library writes it. Its own way looks, writes and looks again where somebody was faster:
  // inside a transaction, which a failed statement ends, the last look would be refused.
  private static final String SCHEDULE =
      """
      INSERT INTO %s (task_name, task_instance, execution_time, picked, version)
      VALUES (?, ?, ?, false, 1)
          ON CONFLICT DO NOTHING
      """;

  private static final String WITHDRAW =
      "DELETE FROM %s WHERE task_name = ? AND task_instance = ? AND NOT picked";

  private final Database database;
  private final Clock clock;
  private final String worker;
  private final Map<Job.Queue, Scheduler> schedulers = new EnumMap<>(Job.Queue.class);
  private final List<ExecutorService> pools = new ArrayList<>();
  private volatile boolean stopping;

  /**
   * @param worker the same for each start of the server on one data directory, and no other's
   * @param threads how many jobs of each queue run at a time
   */
  public Jobs(
      Database database,
      Notifications notifications,
      Clock clock,
      String worker,
      List<Job> jobs,
      Map<Job.Queue, Integer> threads) {
    this.database = database;
    this.clock = clock;
    this.worker = worker;
    for (Job.Queue queue : Job.Queue.values()) {
      List<CustomTask<Void>> tasks =
          jobs.stream().filter(job -> job.kind().queue() == queue).map(this::task).toList();
      schedulers.put(queue, scheduler(queue, tasks, threads.getOrDefault(queue, 1)));
    }
    notifications.subscribe(CHANNEL, table -> checkQueue(table), this::checkAllQueues);
  }

  /**
   * Asks for a job in the caller's transaction. Asked for again before it is done, it runs once.
   *
   * @param due when to run it; a queue is worked off in this order
   */
  public static void schedule(Handle tx, Job.Kind kind, String subjectId, Instant due) {
    tx.execute(SCHEDULE.formatted(kind.queue().table()), kind.name(), subjectId, due);
    Notifications.notify(tx, CHANNEL, kind.queue().table());
  }

  /** Takes a job back in the caller's transaction, unless it is being run. */
  public static void withdraw(Handle tx, Job.Kind kind, String subjectId) {
    tx.execute(WITHDRAW.formatted(kind.queue().table()), kind.name(), subjectId);
  }

  /** Takes back what this worker was doing when it was killed, and begins to work. */
  public void start() {
    database.useTransaction(tx ->
        Arrays.stream(Job.Queue.values())
            .forEach(queue -> tx.execute(TAKE_BACK.formatted(queue.table()), worker)));
    schedulers.values().forEach(Scheduler::start);
  }

  /** Interrupts what runs, which goes on at the next start; returns when it has cleaned up. */
  public void stop() {
    stopping = true;
    pools.forEach(ExecutorService::shutdownNow);
    pools.forEach(Jobs::awaitEnd);
    schedulers.values().forEach(Scheduler::stop);
  }

  private static void awaitEnd(ExecutorService pool) {
    try {
      if (!pool.awaitTermination(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        log.warn("jobs did not stop in time; they are taken up at the next start");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Scheduler scheduler(Job.Queue queue, List<CustomTask<Void>> tasks, int threads) {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name(queue.table() + "-", 0).factory());
    pools.add(pool);
    return Scheduler.create(database.dataSource(), List.copyOf(tasks))
        .tableName(queue.table())
        .schedulerName(new SchedulerName.Fixed(worker))
        .threads(threads)
        // As many as can run at once: what waits can still be taken by another replica.
        .pollUsingLockAndFetch(0.5, 1.0)
        .pollingInterval(Duration.ofSeconds(2))
        .heartbeatInterval(Duration.ofSeconds(2))
        .missedHeartbeatsLimit(4)
        .executorService(pool)
        .shutdownMaxWait(Duration.ZERO)
        .build();
  }

  private CustomTask<Void> task(Job job) {
    return Tasks.custom(job.kind().name(), Void.class)
        .onFailure((complete, operations) -> afterFailure(job, complete, operations))
        .onDeadExecutionRevive()
        .execute((instance, context) -> run(job, instance.getId()));
  }

  private CompletionHandler<Void> run(Job job, String subjectId) {
    try {
      return switch (job.run(subjectId)) {
        case Job.Outcome.Done() -> new CompletionHandler.OnCompleteRemove<>();
        case Job.Outcome.Again(Duration after) ->
            (complete, operations) -> operations.reschedule(complete, clock.instant().plus(after));
      };
    } catch (InterruptedException e) {
      // Not passed on to the thread: it still has to write down how the job ended.
      throw new TransientException("interrupted", e);
    } finally {
      Thread.interrupted();
    }
  }

  private void afterFailure(
      Job job, ExecutionComplete complete, ExecutionOperations<Void> operations) {
    String name = job.kind().name();
    String subject = complete.getExecution().getId();
    if (stopping) {
      operations.reschedule(complete, Instant.EPOCH);
      return;
    }
    Throwable cause = complete.getCause().orElseThrow();
    int failures = complete.getExecution().consecutiveFailures;
    if (cause instanceof TransientException && failures < MAX_RETRIES) {
      Duration backOff = Duration.ofSeconds(1L << failures);
      Duration wait = backOff.compareTo(MAX_BACK_OFF) < 0 ? backOff : MAX_BACK_OFF;
      log.warn("job={} subject={} retried in {}: {}", name, subject, wait, cause.toString());
      operations.reschedule(complete, clock.instant().plus(wait));
      return;
    }
    log.error("job={} subject={} given up", name, subject, cause);
    try {
      job.giveUp(subject, cause);
      operations.remove();
    } catch (RuntimeException e) {
      log.error("job={} subject={} could not be given up yet", name, subject, e);
      operations.reschedule(complete, clock.instant().plus(MAX_BACK_OFF));
    }
  }

  private void checkQueue(String table) {
    schedulers.forEach((queue, scheduler) -> {
      if (queue.table().equals(table)) {
        scheduler.triggerCheckForDueExecutions();
      }
    });
  }

  private void checkAllQueues() {
    schedulers.values().forEach(Scheduler::triggerCheckForDueExecutions);
  }
}
