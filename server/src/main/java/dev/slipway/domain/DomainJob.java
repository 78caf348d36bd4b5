package dev.slipway.domain;

import dev.slipway.core.DomainId;
import dev.slipway.db.Database;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.Routes;
import dev.slipway.job.Job;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the DNS of a domain, again and again for as long as there is the domain: often while
 * someone waits for it, seldom once it is served or has failed.
 */
public final class DomainJob implements Job {
  public static final Kind KIND = new Kind("domain", Queue.NAMES);
  private static final Logger log = LoggerFactory.getLogger(DomainJob.class);

  private static final Duration SHORTEST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration WHEN_FAILED = Duration.ofHours(6);
  private static final int AGE_PARTS = 10;

  private final Database database;
  private final DomainStore store;
  private final Verification verification;
  private final Routes routes;
  private final DomainListener listener;
  private final Clock clock;

  /**
   * @param listener told of domains that become active
   */
  public DomainJob(
      Database database,
      DomainStore store,
      Dns dns,
      Addresses addresses,
      Routes routes,
      DomainListener listener,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.verification = new Verification(dns, addresses);
    this.routes = routes;
    this.listener = listener;
    this.clock = clock;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    Optional<Domain> found = database.read(tx -> store.find(tx, new DomainId(subjectId)));
    if (found.isEmpty()) {
      return Outcome.DONE;
    }
    Domain domain = found.get();
    DomainState next = domain.state().after(verification.look(domain), clock.instant());
    write(domain, next);
    return new Outcome.Again(pause(next));
  }

  private void write(Domain domain, DomainState next) {
    if (next.equals(domain.state())) {
      return;
    }
    boolean routed = next.isServed() != domain.state().isServed();
    var _ =
        routed
            ? routes.changing(tx -> write(tx, domain, next))
            : database.inTransaction(tx -> write(tx, domain, next));
  }

  private boolean write(Handle tx, Domain domain, DomainState next) {
    boolean written = store.update(tx, domain, next);
    if (written && next.status() != domain.state().status()) {
      moved(tx, domain, store.find(tx, domain.id()).orElseThrow());
    }
    return written;
  }

  private void moved(Handle tx, Domain before, Domain domain) {
    DomainState next = domain.state();
    if (next.isServed()) {
      listener.active(tx, domain);
      log.info("domain={} {} is active", domain.id(), domain.name());
    } else {
      listener.failed(tx, domain);
    }
    if (before.state().isServed()) {
      listener.changed(tx);
      log.warn(
          "domain={} {} is not served any more: {}",
          domain.id(),
          domain.name(),
          next.problem().orElse(""));
    }
  }

  /** A tenth of the time that it has been wrong: who sets a record now is not kept waiting. */
  private Duration pause(DomainState state) {
    return switch (state.status()) {
      case FAILED -> WHEN_FAILED;
      case PENDING, ACTIVE ->
          state
              .wrongSince()
              .map(since -> Duration.between(since, clock.instant()).dividedBy(AGE_PARTS))
              .map(part -> part.compareTo(SHORTEST) < 0 ? SHORTEST : part)
              .filter(part -> part.compareTo(LONGEST) < 0)
              .orElse(LONGEST);
    };
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    database.useTransaction(tx ->
        store
            .find(tx, new DomainId(subjectId))
            .ifPresent(domain ->
                store.update(
                    tx,
                    domain,
                    new DomainState(
                        domain.state().status(),
                        Optional.of("A fault of this service keeps it from looking at DNS."),
                        domain.state().wrongSince()))));
  }
}
