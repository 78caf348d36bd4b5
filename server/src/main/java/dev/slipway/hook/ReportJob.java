package dev.slipway.hook;

import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.hook.host.Comment;
import dev.slipway.hook.host.GitHostApi;
import dev.slipway.hook.host.GitHostApis;
import dev.slipway.hook.host.RefusedException;
import dev.slipway.job.Job;
import dev.slipway.project.Project;
import dev.slipway.source.RepoName;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a git host how something is at the moment at which the job runs. A host that does not
 * answer is asked again, for some hours; one that refuses is not.
 */
final class ReportJob implements Job {
  static final Kind KIND = new Kind("report", Queue.REPORTS);
  private static final Logger log = LoggerFactory.getLogger(ReportJob.class);

  private static final Duration BUSY = Duration.ofSeconds(2);
  private static final Duration SHORTEST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Duration TRIED_FOR = Duration.ofHours(6);

  private final Database database;
  private final GitHostApis hosts;
  private final List<Topic> topics;
  private final Clock clock;

  /** What is being told about: in turn, so that what was said last is what is true. */
  private final Set<String> busy = ConcurrentHashMap.newKeySet();

  /** Repositories of which the server's log says already that their host refuses. */
  private final Set<String> refusing = ConcurrentHashMap.newKeySet();

  ReportJob(Database database, GitHostApis hosts, List<Topic> topics, Clock clock) {
    this.database = database;
    this.hosts = hosts;
    this.topics = List.copyOf(topics);
    this.clock = clock;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    Wish wish = Wish.of(subjectId);
    if (!busy.add(wish.id())) {
      return new Outcome.Again(BUSY);
    }
    try {
      boolean told = true;
      for (Topic topic : topics) {
        if (topic.covers(wish.id())) {
          told &= tellInTurn(topic, wish.id());
        }
      }
      return told ? Outcome.DONE : new Outcome.Again(BUSY);
    } catch (TransientException e) {
      return later(wish, e);
    } finally {
      busy.remove(wish.id());
    }
  }

  private Outcome later(Wish wish, TransientException cause) {
    Duration age = Duration.between(wish.since(), clock.instant());
    if (age.compareTo(TRIED_FOR) > 0) {
      log.warn("subject={} the git host was not told: {}", wish.id(), cause.getMessage());
      return Outcome.DONE;
    }
    Duration pause = age.compareTo(SHORTEST) < 0 ? SHORTEST : age;
    return new Outcome.Again(pause.compareTo(LONGEST) < 0 ? pause : LONGEST);
  }

  /** False where another one is telling of the same commit: what it read may be older. */
  private boolean tellInTurn(Topic topic, String id) throws InterruptedException {
    Optional<String> commit = database.read(tx -> topic.words(tx, id)).map(Words::commit);
    if (commit.isEmpty()) {
      return true;
    }
    if (!busy.add(commit.get())) {
      return false;
    }
    try {
      tell(topic, id);
      return true;
    } finally {
      busy.remove(commit.get());
    }
  }

  private void tell(Topic topic, String id) throws InterruptedException {
    Optional<Words> found = database.read(tx -> topic.words(tx, id));
    if (found.isEmpty() || found.get().project().repo().isEmpty()) {
      return;
    }
    Words words = found.get();
    Project project = words.project();
    Optional<GitHostApi> host = hosts.of(project.source(), project.accountId());
    if (host.isEmpty()) {
      return;
    }
    RepoName repo = project.repo().get();
    if (words.status().isPresent()) {
      attempt(project, id, () -> host.get().status(repo, words.sha(), words.status().get()));
    }
    if (words.remark().isPresent()) {
      attempt(project, id, () -> remark(topic, id, host.get(), repo, words));
    }
  }

  private void remark(Topic topic, String id, GitHostApi host, RepoName repo, Words words)
      throws InterruptedException {
    Words.Remark remark = words.remark().orElseThrow();
    String comment =
        host.comment(
            repo,
            remark.number(),
            remark.comment(),
            new Comment(words.project().id().value(), remark.text()));
    if (!remark.comment().equals(Optional.of(comment))) {
      database.useTransaction(tx -> topic.commented(tx, id, comment));
    }
  }

  private interface Attempt {
    void run() throws InterruptedException;
  }

  private void attempt(Project project, String id, Attempt attempt) throws InterruptedException {
    String repository = project.source() + " " + project.repo().orElseThrow();
    try {
      attempt.run();
      refusing.remove(repository);
    } catch (RefusedException e) {
      if (refusing.add(repository)) {
        log.warn(
            "subject={} project={} the git host refuses to be told: {}",
            id,
            project.id(),
            e.getMessage());
      }
    }
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    log.error("subject={} the git host was not told", Wish.of(subjectId).id(), cause);
  }
}
