package dev.slipway.domain;

import dev.slipway.core.AccountId;
import dev.slipway.core.DomainId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.Routes;
import dev.slipway.job.Jobs;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectAccess;
import dev.slipway.project.ProjectListener;
import dev.slipway.project.ProjectStore;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client can ask of custom domains. Thread-safe. */
public final class DomainService implements ProjectListener {
  private static final Logger log = LoggerFactory.getLogger(DomainService.class);

  private final Database database;
  private final DomainStore store;
  private final ProjectAccess projects;
  private final Routes routes;
  private final Verification verification;
  private final String publicHost;
  private final String appsDomain;
  private final int maxPerAccount;
  private final Clock clock;
  private final DomainListeners listeners = new DomainListeners();

  /**
   * @param addresses of API, dashboard and applications: nobody's domains
   * @param maxPerAccount domains of all projects of an account
   */
  public DomainService(
      Database database,
      DomainStore store,
      ProjectStore projects,
      Routes routes,
      Dns dns,
      Addresses addresses,
      int maxPerAccount,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.projects = new ProjectAccess(projects);
    this.routes = routes;
    this.verification = new Verification(dns, addresses);
    this.publicHost = addresses.publicUrl().getHost().toLowerCase(Locale.ROOT);
    this.appsDomain = addresses.appsDomain().toLowerCase(Locale.ROOT);
    this.maxPerAccount = maxPerAccount;
    this.clock = clock;
  }

  /** Who is told of domains. */
  public void tell(DomainListener listener) {
    listeners.add(listener);
  }

  /** All who are. */
  public DomainListener listeners() {
    return listeners;
  }

  /** Why a name cannot be a project's domain here, whoever asks; who has it is not looked at. */
  public Optional<String> fault(String given) {
    String text = DomainName.normalized(given);
    return DomainName.fault(text).or(() -> reserved(new DomainName(text)));
  }

  private Optional<String> reserved(DomainName name) {
    if (name.value().equals(publicHost)) {
      return Optional.of("is the address of this service itself");
    }
    return name.isWithin(appsDomain)
        ? Optional.of("lies under %s, where this service gives out the names".formatted(appsDomain))
        : Optional.empty();
  }

  /**
   * Adds a domain to a project. Another project that has it loses it to a claim.
   *
   * @param given a name without a {@link #fault}, in any case and script
   * @param claimed what {@link #claimed} has answered
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where a project
   *     has it, or the account has as many as it may
   */
  public Domain add(
      AccountId account, ProjectId project, String given, Optional<DomainId> claimed) {
    return database.inTransaction(
        tx -> add(tx, projects.share(tx, account, project), given, claimed));
  }

  /**
   * The domain of another project by that name, where DNS says that the name is this account's.
   * Asks DNS: not for within a transaction.
   */
  public Optional<DomainId> claimed(AccountId account, String given) {
    DomainName name = new DomainName(DomainName.normalized(given));
    return database
        .read(tx -> store.byName(tx, name))
        .filter(_ -> isClaimed(account, name))
        .map(Domain::id);
  }

  private boolean isClaimed(AccountId account, DomainName name) {
    try {
      return verification.isClaimed(account, name);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientException("interrupted while DNS was asked", e);
    }
  }

  /**
   * {@link #add} to a project that is being made.
   *
   * @param claimed what {@link #claimed} has answered
   */
  public Domain add(Handle tx, Project project, String given, Optional<DomainId> claimed) {
    if (store.count(tx, project.accountId()) >= maxPerAccount) {
      throw new RequestException(
          ErrorCode.CONFLICT,
          "The account has %d domains, as many as limits.domains_per_account allows: remove one, or have the limit raised."
              .formatted(maxPerAccount));
    }
    Domain domain =
        new Domain(
            DomainId.next(),
            new Holder(project.id(), project.accountId(), project.label()),
            new DomainName(DomainName.normalized(given)),
            DomainState.added(clock.instant()),
            clock.instant());
    if (!store.insert(tx, domain)) {
      takeOver(tx, domain, claimed);
    }
    Jobs.schedule(tx, DomainJob.KIND, domain.id().value(), clock.instant());
    return domain;
  }

  private void takeOver(Handle tx, Domain domain, Optional<DomainId> claimed) {
    Optional<Domain> other = store.byName(tx, domain.name());
    if (other.map(it -> it.holder().equals(domain.holder())).orElse(false)) {
      throw new RequestException(
          ErrorCode.CONFLICT, "The project has the domain %s already.".formatted(domain.name()));
    }
    // Still the one that was looked at: another that has it by now may have a claim of its own.
    boolean taken = other.map(Domain::id).equals(claimed) && other.isPresent();
    if (taken) {
      Domain held = other.get();
      store.delete(tx, held.holder().project(), held.id());
      if (held.state().isServed()) {
        listeners.changed(tx);
        routes.changed(tx);
      }
      log.info("domain={} {} is claimed by another project", held.id(), held.name());
    }
    if (!taken || !store.insert(tx, domain)) {
      throw new RequestException(ErrorCode.CONFLICT, conflict(domain));
    }
  }

  /** Of another project no more is told than that there is one. */
  private static String conflict(Domain domain) {
    return "The domain %s belongs to another project. If it is yours, set the TXT record %s to %s and ask again."
        .formatted(domain.name(), domain.name().challenge(), domain.token());
  }

  /**
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public Domain get(AccountId account, ProjectId project, DomainId id) {
    return database.read(tx ->
        store.find(tx, projects.own(tx, account, project).id(), id).orElseThrow(() -> unknown(id)));
  }

  /** All domains that are served, of whatever project. */
  public List<DomainId> served(Handle tx) {
    return store.served(tx);
  }

  /** How many there are of all the account's projects. */
  public int count(AccountId account) {
    return database.read(tx -> store.count(tx, account));
  }

  /**
   * At most {@code limit} domains of a project, newest first, those before {@code before}.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public List<Domain> list(
      AccountId account, ProjectId project, Optional<DomainId> before, int limit) {
    return database.read(
        tx -> store.list(tx, projects.own(tx, account, project).id(), before, limit));
  }

  /**
   * Takes a domain from its project; anyone may add it from then on.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public void remove(AccountId account, ProjectId project, DomainId id) {
    var _ =
        routes.changing(tx -> {
          if (!store.delete(tx, projects.own(tx, account, project).id(), id)) {
            throw unknown(id);
          }
          listeners.changed(tx);
          return id;
        });
  }

  @Override
  public void deleted(Handle tx, Project project) {
    store.deleteAll(tx, project.id());
    listeners.changed(tx);
  }

  private static RequestException unknown(DomainId id) {
    return new RequestException(ErrorCode.NOT_FOUND, "There is no domain %s.".formatted(id));
  }
}
