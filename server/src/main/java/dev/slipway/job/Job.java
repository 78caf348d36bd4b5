package dev.slipway.job;

import java.time.Duration;

/**
 * One kind of durable work on one subject, such as building a deployment. It may run twice: a
 * second run finds the first one's work and goes on.
 */
public interface Job {
  Kind kind();

  /**
   * Does the work. Interrupted when the server stops or the work is no longer wanted.
   *
   * @throws dev.slipway.core.TransientException to be run again a little later
   */
  Outcome run(String subjectId) throws InterruptedException;

  /** The last word on a subject whose work cannot be done: nothing stays "in progress". */
  void giveUp(String subjectId, Throwable cause);

  /**
   * By which a job is asked for and found.
   *
   * @param name stands in the store; never changed once released
   * @param queue which it waits in
   */
  record Kind(String name, Queue queue) {}

  /** The queues. Each has threads of its own, so that long work never holds up short work. */
  enum Queue {
    /** Builds: few at a time. */
    BUILDS("build_tasks"),
    /** What somebody waits for: it starts at once. */
    WORK("scheduled_tasks"),
    /** What follows and may take its time. */
    CHORES("chore_tasks"),
    /** What asks DNS, and waits for servers that belong to anyone. */
    NAMES("name_tasks"),
    /** What orders certificates, and waits for the authority. */
    CERTIFICATES("certificate_tasks"),
    /** What tells git hosts, and waits for them. */
    REPORTS("report_tasks"),
    /** What makes, copies and changes databases: it may take hours. */
    DATABASES("database_tasks");

    private final String table;

    Queue(String table) {
      this.table = table;
    }

    String table() {
      return table;
    }
  }

  /** How a run ended that did not fail. */
  sealed interface Outcome {
    Outcome DONE = new Done();

    /** Nothing is left to do. */
    record Done() implements Outcome {}

    /** It is not this subject's turn yet: run again. */
    record Again(Duration after) implements Outcome {}
  }
}
