package dev.slipway.domain;

import dev.slipway.core.AccountId;
import dev.slipway.core.DomainId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectAccess;
import dev.slipway.project.ProjectListener;
import dev.slipway.project.ProjectStore;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What a client can ask of custom domains. Thread-safe. */
public final class DomainService implements ProjectListener {
  private static final int TOKEN_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Database database;
  private final DomainStore store;
  private final ProjectAccess projects;
  private final String publicHost;
  private final String appsDomain;
  private final Clock clock;

  /**
   * @param publicHost of API and dashboard: nobody's domain
   * @param appsDomain below which the applications are: neither
   */
  public DomainService(
      Database database,
      DomainStore store,
      ProjectStore projects,
      String publicHost,
      String appsDomain,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.projects = new ProjectAccess(projects);
    this.publicHost = publicHost.toLowerCase(Locale.ROOT);
    this.appsDomain = appsDomain.toLowerCase(Locale.ROOT);
    this.clock = clock;
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
   * Adds a domain to a project.
   *
   * @param given a name without a {@link #fault}, in any case and script
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where a project
   *     has it
   */
  public Domain add(AccountId account, ProjectId project, String given) {
    return database.inTransaction(tx -> add(tx, projects.share(tx, account, project), given));
  }

  /** {@link #add} to a project that is being made. */
  public Domain add(Handle tx, Project project, String given) {
    Domain domain =
        new Domain(
            DomainId.next(),
            project.id(),
            new DomainName(DomainName.normalized(given)),
            Domain.Status.PENDING,
            token(),
            clock.instant());
    if (!store.insert(tx, domain)) {
      throw new RequestException(ErrorCode.CONFLICT, taken(tx, project, domain.name()));
    }
    return domain;
  }

  /** Of another project no more is told than that there is one. */
  private String taken(Handle tx, Project project, DomainName name) {
    boolean own =
        store.byName(tx, name).filter(it -> it.projectId().equals(project.id())).isPresent();
    return own
        ? "The project has the domain %s already.".formatted(name)
        : "The domain %s belongs to another project.".formatted(name);
  }

  /**
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public Domain get(AccountId account, ProjectId project, DomainId id) {
    return database.read(tx ->
        store.find(tx, projects.own(tx, account, project).id(), id).orElseThrow(() -> unknown(id)));
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
    database.useTransaction(tx -> {
      if (!store.delete(tx, projects.own(tx, account, project).id(), id)) {
        throw unknown(id);
      }
    });
  }

  @Override
  public void deleted(Handle tx, Project project) {
    store.deleteAll(tx, project.id());
  }

  private static String token() {
    byte[] random = new byte[TOKEN_BYTES];
    RANDOM.nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  private static RequestException unknown(DomainId id) {
    return new RequestException(ErrorCode.NOT_FOUND, "There is no domain %s.".formatted(id));
  }
}
