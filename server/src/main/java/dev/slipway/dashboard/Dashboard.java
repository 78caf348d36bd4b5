package dev.slipway.dashboard;

import dev.slipway.account.ApiKeys;
import dev.slipway.account.Audit;
import dev.slipway.account.Callers;
import dev.slipway.account.Invitations;
import dev.slipway.account.Sessions;
import dev.slipway.account.Users;
import dev.slipway.api.Api;
import dev.slipway.api.BodyTimeLimit;
import dev.slipway.api.LocalApi;
import dev.slipway.api.OffLoop;
import dev.slipway.api.RequestId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.deployment.DeploymentHistory;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.domain.DomainService;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.ClientAddress;
import dev.slipway.framework.Frameworks;
import dev.slipway.hook.GitHooks;
import dev.slipway.metric.ProjectMetrics;
import dev.slipway.migration.MigrationService;
import dev.slipway.migration.SourceBranches;
import dev.slipway.preview.PreviewService;
import dev.slipway.project.ProjectService;
import dev.slipway.runlog.RunLogs;
import dev.slipway.webhook.WebhookService;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/** The pages below {@code /dashboard}, put together. */
public final class Dashboard {
  private static final String HOME = Site.BASE + "/projects";

  private final Parts parts;

  /**
   * What the pages need of the other packages.
   *
   * @param api what they show and do
   * @param clients whose requests they are
   */
  public record Parts(
      Vertx vertx,
      LocalApi api,
      AccountParts accounts,
      ProjectService projects,
      DatabaseService databases,
      DeploymentService deployments,
      DeploymentHistory history,
      ProjectMetrics metrics,
      RunLogs logs,
      NewProjects newProjects,
      Addresses addresses,
      ClientAddress clients,
      MigrationService migrations,
      DomainService domains,
      GitHooks hooks,
      PreviewService previews,
      WebhookService webhooks,
      ServerFacts server,
      Clock clock) {}

  /**
   * What new projects are made with.
   *
   * @param frameworks that can be named instead of detected
   */
  public record NewProjects(SourceBranches branches, List<String> frameworks, int maxInstances) {
    public NewProjects {
      frameworks = List.copyOf(frameworks);
    }
  }

  /** Who may use the service, and who did what. */
  public record AccountParts(
      Sessions sessions,
      Users users,
      Invitations invitations,
      ApiKeys keys,
      Callers callers,
      Audit audit) {}

  public Dashboard(Parts parts) {
    this.parts = parts;
  }

  /** Whether a request is for a page, by its path as it was sent. */
  public static boolean takes(HttpServerRequest request) {
    String path = String.valueOf(request.path());
    return path.equals("/") || path.equals(Site.BASE) || path.startsWith(Site.BASE + "/");
  }

  /** What takes those requests. */
  public Handler<HttpServerRequest> handler() {
    OffLoop offLoop = new OffLoop(parts.vertx());
    Router router = Router.router(parts.vertx());
    SessionCookie cookie = SessionCookie.of(parts.addresses());
    router.route().handler(RequestId::assign);
    router.route().handler(Dashboard::refuseUnreadable);
    Assets.mount(router, offLoop);
    for (String path : List.of("/", Site.BASE, Site.BASE + "/")) {
      router.get(path).handler(context -> Answering.redirect(context.request(), HOME));
    }
    Framing framing = new Framing(new Answering(new Renderer(), cookie));
    Doorkeeper doorkeeper =
        new Doorkeeper(
            parts.accounts().sessions(), cookie, new SameOrigin(parts.addresses().publicUrl()));
    Site site =
        new Site(
            router,
            offLoop,
            new BodyTimeLimit(parts.vertx(), Api.Http.BODY_TIME),
            parts.api(),
            framing,
            doorkeeper);
    pages().forEach(it -> it.mount(site));
    site.finish();
    return router;
  }

  /** Once, before anything is done: a page may read the query last. */
  private static void refuseUnreadable(RoutingContext context) {
    String path = String.valueOf(context.request().path());
    boolean nul =
        path.contains("%00")
            || context.queryParams().entries().stream()
                .anyMatch(it -> it.getValue().indexOf(0) >= 0);
    if (nul) {
      throw new RequestException(ErrorCode.NOT_FOUND, "Nothing here has a NUL in its address.");
    }
    context.next();
  }

  private List<Pages> pages() {
    return Stream.concat(projects().stream(), settings().stream()).toList();
  }

  private List<Pages> projects() {
    AccountParts accounts = parts.accounts();
    DeploymentLines lines =
        new DeploymentLines(parts.history(), new AskedBy(accounts.audit(), accounts.users()));
    ProjectHeads heads = new ProjectHeads(parts.history(), lines);
    DeploymentStates states =
        new DeploymentStates(parts.deployments(), lines, heads, parts.logs(), parts.clock());
    NewProjects made = parts.newProjects();
    GitHookSections hooks = new GitHookSections(parts.hooks(), parts.addresses());
    DatabasePanels databases = new DatabasePanels(parts.databases(), parts.projects());
    return List.of(
        new DeploymentListPages(heads, lines), // before what has an id in the same place
        new DeploymentPages(states),
        new NewPages(
            parts.server().gitHosts(), made.branches(), made.frameworks(), made.maxInstances()),
        new MigrationPages(
            parts.migrations(), states, parts.logs(), parts.addresses(), parts.clock()),
        new ProjectsPages(parts.history(), lines, parts.metrics()),
        new ProjectPages(heads, new Overviews(heads, lines, parts.metrics(), parts.deployments())),
        new MetricsPages(heads, parts.metrics(), parts.clock()),
        new ProgramLogPages(heads, parts.deployments()),
        new PreviewListPages(heads, parts.hooks()),
        new PreviewPages(parts.previews(), parts.logs()),
        new VariablePages(heads),
        new DomainPages(heads),
        new ProjectDatabasePages(heads, databases),
        new DatabasePages(databases),
        new GitHookPages(heads, hooks),
        new ProjectSettingsPages(heads, parts.projects(), hooks, new Frameworks().names()));
  }

  /** Who may come in, and what belongs to the account and to the server. */
  private List<Pages> settings() {
    AccountParts accounts = parts.accounts();
    KeyMakers makers = new KeyMakers(accounts.keys(), accounts.audit());
    Visitors visitors = new Visitors(parts.clients(), SessionCookie.of(parts.addresses()));
    return List.of(
        new SignInPages(accounts.sessions(), visitors),
        new InvitationPages(accounts.invitations(), visitors),
        new ProfilePages(accounts.sessions(), accounts.users()),
        new KeyPages(makers, parts.addresses()),
        new UserPages(accounts.users(), accounts.invitations(), makers, parts.addresses()),
        new WebhookListPages(parts.webhooks()),
        new WebhookPages(),
        new WebhookDeliveryPages(),
        new UsagePages(
            accounts.callers(),
            accounts.users(),
            parts.migrations(),
            parts.projects(),
            parts.domains(),
            parts.server().maxDomains()),
        new ServerPages(parts.server(), parts.addresses()),
        new AuditPages(accounts.audit()));
  }
}
