package dev.slipway.certificate;

import dev.slipway.certificate.CertificateStore.Held;
import dev.slipway.certificate.CertificateStore.Origin;
import dev.slipway.core.AccountId;
import dev.slipway.core.DomainId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.db.Database;
import dev.slipway.domain.Domain;
import dev.slipway.domain.DomainListener;
import dev.slipway.domain.DomainService;
import dev.slipway.job.Jobs;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** What a client can ask of certificates, and when they are ordered. Thread-safe. */
public final class CertificateService implements DomainListener {
  private static final Duration SOON = Duration.ofDays(14);

  private final Database database;
  private final CertificateStore store;
  private final OrderStore orders;
  private final TlsTables tables;
  private final DomainService domains;
  private final boolean ordering;
  private final Clock clock;

  /**
   * @param ordering whether there is an authority to order from
   */
  public CertificateService(
      Database database,
      CertificateStore store,
      OrderStore orders,
      TlsTables tables,
      DomainService domains,
      boolean ordering,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.orders = orders;
    this.tables = tables;
    this.domains = domains;
    this.ordering = ordering;
    this.clock = clock;
  }

  /**
   * What there is to say of a domain's certificate.
   *
   * @param chain empty where it has none
   * @param uploaded whether that is one of its user's
   * @param problem why it has none, or will soon have none
   */
  public record Summary(
      Optional<CertificateChain> chain, boolean uploaded, Optional<String> problem) {}

  public Summary summary(Domain domain) {
    return database.read(tx -> summary(tx, domain));
  }

  /** The same in the caller's transaction. */
  public Summary summary(Handle tx, Domain domain) {
    return Objects.requireNonNull(summaries(tx, List.of(domain)).get(domain.id()));
  }

  /** {@link #summary} of each. */
  public Map<DomainId, Summary> summaries(Collection<Domain> all) {
    return database.read(tx -> summaries(tx, all));
  }

  private Map<DomainId, Summary> summaries(Handle tx, Collection<Domain> all) {
    Set<DomainId> ids = all.stream().map(Domain::id).collect(Collectors.toSet());
    Map<DomainId, Held> held = store.find(tx, ids);
    Map<DomainId, String> problems = orders.problems(tx, ids);
    return ids.stream()
        .collect(
            Collectors.toMap(
                Function.identity(),
                id ->
                    summary(
                        Optional.ofNullable(held.get(id)), Optional.ofNullable(problems.get(id)))));
  }

  private Summary summary(Optional<Held> held, Optional<String> orderProblem) {
    Optional<CertificateChain> uploaded =
        held.filter(it -> it.origin() == Origin.UPLOADED).map(Held::chain);
    return new Summary(
        held.map(Held::chain),
        uploaded.isPresent(),
        uploaded.map(this::expiry).orElse(orderProblem));
  }

  private Optional<String> expiry(CertificateChain uploaded) {
    return Optional.of(uploaded.expiresAt())
        .filter(at -> at.isBefore(clock.instant().plus(SOON)))
        .map(at ->
            "The certificate that was uploaded is valid until %s: upload the next one, or delete it."
                .formatted(at));
  }

  /**
   * Serves a domain with a certificate of its user's, in place of the one that it has.
   *
   * @param chain in PEM, the domain's certificate first
   * @param key in PEM
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code INVALID_REQUEST} where
   *     the two do not belong together, or are not for the domain, or not for now
   */
  public Domain put(AccountId account, ProjectId project, DomainId id, String chain, Secret key) {
    Domain domain = domains.get(account, project, id);
    CertifiedKey certified = read(chain, key);
    certified
        .unfit(domain.name().value(), clock.instant())
        .ifPresent(fault -> {
          throw invalid(CertifiedKey.Part.CERTIFICATE, fault);
        });
    boolean put =
        tables.changing(tx -> {
          orders.end(tx, id);
          return store.put(tx, id, Origin.UPLOADED, certified);
        });
    return put ? domain : domains.get(account, project, id);
  }

  private static CertifiedKey read(String chain, Secret key) {
    try {
      return CertifiedKey.read(chain, key);
    } catch (CertifiedKey.FaultException e) {
      throw invalid(e.part(), String.valueOf(e.getMessage()));
    }
  }

  private static RequestException invalid(CertifiedKey.Part part, String fault) {
    return new RequestException(
        ErrorCode.INVALID_REQUEST, "%s: %s.".formatted(part.field(), fault));
  }

  /**
   * Deletes the certificate that was uploaded; one is ordered in its place where that is possible.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public void remove(AccountId account, ProjectId project, DomainId id) {
    Domain domain = domains.get(account, project, id);
    var _ =
        tables.changing(tx -> {
          if (!store.deleteUploaded(tx, id)) {
            throw new RequestException(
                ErrorCode.NOT_FOUND,
                "No certificate was uploaded for the domain %s.".formatted(domain.name()));
          }
          order(tx, id);
          return id;
        });
  }

  @Override
  public void active(Handle tx, Domain domain) {
    order(tx, domain.id());
    changed(tx);
  }

  @Override
  public void changed(Handle tx) {
    tables.changed(tx);
  }

  /** Asks for what domains that are served may lack, as when there was no authority before. */
  public void orderMissing() {
    if (ordering) {
      database.useTransaction(tx ->
          domains
              .served(tx)
              .forEach(id -> Jobs.schedule(tx, CertificateJob.KIND, id.value(), clock.instant())));
    }
  }

  /** At once, also where one waits for the time to renew what is not there any more. */
  private void order(Handle tx, DomainId id) {
    if (ordering) {
      Jobs.withdraw(tx, CertificateJob.KIND, id.value());
      Jobs.schedule(tx, CertificateJob.KIND, id.value(), clock.instant());
    }
  }
}
