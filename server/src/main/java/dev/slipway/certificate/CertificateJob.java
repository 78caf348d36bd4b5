package dev.slipway.certificate;

import dev.slipway.certificate.CertificateStore.Held;
import dev.slipway.certificate.CertificateStore.Origin;
import dev.slipway.core.DomainId;
import dev.slipway.db.Database;
import dev.slipway.domain.Domain;
import dev.slipway.domain.DomainStore;
import dev.slipway.job.Job;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.shredzone.acme4j.exception.AcmeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets a domain its certificate, and the next one ahead of time, for as long as the domain is
 * served and its user has not brought one. One order of a domain at a time, as there is one such
 * job.
 */
public final class CertificateJob implements Job {
  public static final Kind KIND = new Kind("certificate", Queue.CERTIFICATES);
  private static final Logger log = LoggerFactory.getLogger(CertificateJob.class);

  private final Database database;
  private final DomainStore domains;
  private final CertificateStore store;
  private final OrderStore orders;
  private final TlsTables tables;
  private final Optional<Authority> authority;
  private final Clock clock;

  /**
   * @param authority to order from; without one nothing is done
   */
  public CertificateJob(
      Database database,
      DomainStore domains,
      CertificateStore store,
      OrderStore orders,
      TlsTables tables,
      Optional<Authority> authority,
      Clock clock) {
    this.database = database;
    this.domains = domains;
    this.store = store;
    this.orders = orders;
    this.tables = tables;
    this.authority = authority;
    this.clock = clock;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    DomainId id = new DomainId(subjectId);
    Optional<Domain> domain = database.read(tx -> domains.find(tx, id));
    Optional<Held> held = database.read(tx -> store.find(tx, id));
    boolean brought = held.map(it -> it.origin() == Origin.UPLOADED).orElse(false);
    if (authority.isEmpty() || domain.isEmpty() || !domain.get().state().isServed() || brought) {
      return Outcome.DONE; // It is asked for again when that changes.
    }
    Optional<Instant> due = held.map(it -> Renewal.due(subjectId, it.chain()));
    Instant now = clock.instant();
    return due.isPresent() && now.isBefore(due.get())
        ? new Outcome.Again(Duration.between(now, due.get()))
        : order(authority.get(), domain.get());
  }

  private Outcome order(Authority authority, Domain domain) throws InterruptedException {
    int failures = database.read(tx -> orders.attempt(tx, domain.id())).failures();
    try {
      CertifiedKey certified = authority.certify(domain.id(), domain.name().value());
      boolean put =
          tables.changing(tx -> {
            orders.end(tx, domain.id());
            return store.put(tx, domain.id(), Origin.ORDERED, certified);
          });
      log.info("domain={} {} certified: {}", domain.id(), domain.name(), put);
      if (!put) {
        return Outcome.DONE; // Its owner has brought one meanwhile.
      }
      Instant due = Renewal.due(domain.id().value(), certified.chain());
      Duration wait = Duration.between(clock.instant(), due);
      return new Outcome.Again(wait.isPositive() ? wait : Duration.ofHours(1));
    } catch (Authority.RefusedException e) {
      return failed(domain, OrderFailure.refused(String.valueOf(e.getMessage()), failures));
    } catch (Authority.UndecidedException e) {
      return failed(domain, OrderFailure.undecided(failures));
    } catch (AcmeException e) {
      return failed(domain, OrderFailure.of(e, failures, clock.instant()));
    }
  }

  private Outcome failed(Domain domain, OrderFailure failure) {
    log.warn(
        "domain={} {} not certified, again in {}: {}",
        domain.id(),
        domain.name(),
        failure.pause(),
        failure.problem());
    database.useTransaction(tx -> orders.fail(tx, domain.id(), failure.problem()));
    return new Outcome.Again(failure.pause());
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    database.useTransaction(tx ->
        orders.fail(
            tx,
            new DomainId(subjectId),
            "A fault of this service keeps it from getting a certificate."));
  }
}
