package dev.slipway.api;

import dev.slipway.account.Accounts;
import dev.slipway.account.Audit;
import dev.slipway.account.Callers;
import dev.slipway.certificate.CertificateService;
import dev.slipway.config.InstanceTypeConfig;
import dev.slipway.config.TierConfig;
import dev.slipway.core.Cidr;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseProvider;
import dev.slipway.database.DatabaseType;
import dev.slipway.db.Database;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.deployment.RestartService;
import dev.slipway.domain.DomainService;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.ClientAddress;
import dev.slipway.event.Events;
import dev.slipway.hook.GitHooks;
import dev.slipway.job.Job;
import dev.slipway.metric.Exposition;
import dev.slipway.metric.ProjectMetrics;
import dev.slipway.migration.DryRuns;
import dev.slipway.migration.MigrationService;
import dev.slipway.preview.PreviewService;
import dev.slipway.project.ProjectService;
import dev.slipway.runlog.RunLogs;
import dev.slipway.upload.Uploads;
import dev.slipway.vault.Vault;
import dev.slipway.webhook.WebhookService;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** The parts of this package, put together. */
public final class Api {
  private static final String CONTRACT = "/openapi/slipway.yaml";

  private final Parts parts;
  private final OffLoop offLoop;
  private final Contract contract = Contract.load(CONTRACT);
  private final Dispatch dispatch;
  private final Announcer announcer;

  public Api(Parts parts) {
    this.parts = parts;
    this.offLoop = new OffLoop(parts.vertx());
    Idempotency idempotency = new Idempotency(parts.database(), parts.vault(), parts.clock());
    Ledger ledger = new Ledger(parts.database(), new Audit(parts.database(), parts.clock()));
    Resources resources = new Resources(parts);
    this.dispatch = new Dispatch(contract, idempotency, ledger, resources.all());
    this.announcer = resources.announcer();
  }

  /**
   * What the API needs of the other packages.
   *
   * @param http how requests are taken
   */
  public record Parts(
      Vertx vertx,
      Database database,
      Vault vault,
      Accounts accounts,
      Callers callers,
      MigrationService migrations,
      DryRuns dryRuns,
      DeploymentService deployments,
      RunLogs logs,
      Uploads uploads,
      Addresses addresses,
      MigrationOperations.Choices choices,
      ProjectParts projects,
      Events events,
      WebhookService webhooks,
      Exposition exposition,
      Clock clock,
      Http http) {}

  /**
   * How requests are taken.
   *
   * @param requestsPerMinute of a tier
   * @param unauthenticatedPerMinute of one client's address without a valid key
   * @param trustedProxies whose word on the client's address counts
   * @param corsOrigins whose pages may call, {@code *} for all
   * @param maxJsonBytes of a request's body
   * @param metricsToken what opens {@code /metrics}; without it this machine alone may read it
   * @param bodyTime in which a body must have come; of a file, the next piece of it
   */
  public record Http(
      ToIntFunction<String> requestsPerMinute,
      int unauthenticatedPerMinute,
      List<Cidr> trustedProxies,
      List<String> corsOrigins,
      long maxJsonBytes,
      Optional<Secret> metricsToken,
      Duration bodyTime) {
    public static final Duration BODY_TIME = Duration.ofSeconds(30);

    /** With metrics for this machine alone. */
    Http(
        ToIntFunction<String> requestsPerMinute,
        int unauthenticatedPerMinute,
        List<Cidr> trustedProxies,
        List<String> corsOrigins,
        long maxJsonBytes,
        Duration bodyTime) {
      this(
          requestsPerMinute,
          unauthenticatedPerMinute,
          trustedProxies,
          corsOrigins,
          maxJsonBytes,
          Optional.empty(),
          bodyTime);
    }
  }

  /**
   * What it needs for projects and what they may choose from.
   *
   * @param instanceTypes the first is the default
   * @param tiers by name
   */
  public record ProjectParts(
      ProjectService service,
      RestartService restarts,
      PreviewService previews,
      DomainService domains,
      CertificateService certificates,
      ProjectMetrics metrics,
      GitHooks hooks,
      DatabaseParts databases,
      List<InstanceTypeConfig> instanceTypes,
      Function<String, TierConfig> tiers) {}

  /**
   * What it needs for databases.
   *
   * @param providers of each type
   */
  public record DatabaseParts(
      DatabaseService service, Map<DatabaseType, DatabaseProvider> providers) {}

  /** What takes the requests for the API's host name. */
  public Handler<HttpServerRequest> handler() {
    return new ApiServer(
            routes(parts, offLoop),
            offLoop,
            new Readiness(parts.database()),
            new MetricsPage(parts.exposition(), parts.http().metricsToken()),
            new GitHookEntrance(
                parts.vertx(),
                offLoop,
                parts.projects().hooks(),
                parts.callers(),
                parts.http(),
                parts.clock()),
            documents(parts.addresses()))
        .handler(contract, dispatch);
  }

  /** Who is to be told of what happens. */
  public Announcer announcer() {
    return announcer;
  }

  /** The same operations for another entrance. */
  public LocalApi local() {
    return new LocalApi(contract, dispatch, routes(parts, offLoop));
  }

  /**
   * What deletes rows and files after their time; to be asked for at the start.
   *
   * @param others what deletes those of other packages
   */
  public static Job housekeeping(
      Database database, Vault vault, List<Runnable> others, Clock clock) {
    List<Runnable> chores = new ArrayList<>(others);
    chores.add(new Idempotency(database, vault, clock)::forgetOld);
    return new Housekeeping(chores);
  }

  /** Asks for {@link #housekeeping}; once for all servers, however often it is asked for. */
  public static void scheduleHousekeeping(Database database, Clock clock) {
    Housekeeping.schedule(database, clock);
  }

  private static List<StaticDocument> documents(Addresses addresses) {
    List<StaticDocument> documents = new ArrayList<>(ReferencePage.documents());
    documents.addAll(new ServedContract(CONTRACT, addresses.publicUrl()).documents("/v1"));
    return documents;
  }

  static ContractRoutes routes(Parts parts, OffLoop offLoop) {
    Http http = parts.http();
    Admission admission =
        new Admission(
            offLoop,
            parts.callers(),
            new ClientAddress(http.trustedProxies()),
            new Admission.Limits(http.requestsPerMinute(), http.unauthenticatedPerMinute()),
            parts.clock());
    return new ContractRoutes(parts.vertx(), offLoop, admission, parts.uploads(), http);
  }
}
