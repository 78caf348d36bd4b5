package dev.slipway.edge;

import dev.slipway.core.EdgeId;
import dev.slipway.core.InstanceId;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.edge.EdgeQuestion.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Asks edges that are other processes, and waits for their answers. Nothing of it is kept: who does
 * not hear a question or is not heard has not answered. Thread-safe.
 */
final class EdgeQuestions {
  static final String QUESTIONS = "slipway_edge_questions";
  static final String ANSWERS = "slipway_edge_answers";

  private final Database database;
  private final Duration limit;
  private final ConcurrentHashMap<String, BlockingQueue<Answer>> open = new ConcurrentHashMap<>();

  /**
   * @param limit how long answers are waited for
   */
  EdgeQuestions(Database database, Duration limit) {
    this.database = database;
    this.limit = limit;
  }

  void follow(Notifications notifications) {
    notifications.subscribe(ANSWERS, this::answered, () -> {});
  }

  private void answered(String text) {
    Answer.parse(text)
        .ifPresent(answer -> {
          BlockingQueue<Answer> waiting = open.get(answer.question());
          if (waiting != null) {
            waiting.add(answer);
          }
        });
  }

  /** The answers of all these edges; empty where one of them did not answer. */
  Optional<List<Answer>> ask(
      Set<EdgeId> edges,
      EdgeQuestion.Kind kind,
      Duration atLeast,
      Collection<InstanceId> instances) {
    var question =
        new EdgeQuestion(UUID.randomUUID().toString(), kind, atLeast, List.copyOf(instances));
    BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    open.put(question.id(), answers);
    try {
      tell(question);
      return await(edges, answers);
    } finally {
      open.remove(question.id());
    }
  }

  private Optional<List<Answer>> await(Set<EdgeId> edges, BlockingQueue<Answer> answers) {
    long deadline = System.nanoTime() + limit.toNanos();
    Set<EdgeId> missing = new HashSet<>(edges);
    List<Answer> all = new ArrayList<>();
    try {
      while (!missing.isEmpty()) {
        Answer next = answers.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (next == null) {
          return Optional.empty();
        }
        if (missing.remove(new EdgeId(next.edge()))) {
          all.add(next);
        }
      }
      return Optional.of(all);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Says something that is not answered. */
  void tell(EdgeQuestion.Kind kind, Collection<InstanceId> instances) {
    tell(
        new EdgeQuestion(
            UUID.randomUUID().toString(), kind, Duration.ZERO, List.copyOf(instances)));
  }

  private void tell(EdgeQuestion question) {
    database.useTransaction(tx -> Notifications.notify(tx, QUESTIONS, question.text()));
  }
}
