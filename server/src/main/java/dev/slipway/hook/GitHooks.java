package dev.slipway.hook;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeliveryId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.db.Database;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectAccess;
import dev.slipway.project.ProjectStore;
import dev.slipway.vault.Vault;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;

/** Takes the messages of git hosts, each once, and does what they ask for. Thread-safe. */
public final class GitHooks {
  /** At a time: what one message holds while it is read is several times as large as it is. */
  private static final int READERS = 2;

  private static final Duration KEPT = Duration.ofDays(30);

  /** One that is none is as good as absent: then the message is known by its body. */
  private static final Pattern HOST_ID = Pattern.compile("[!-~]{1,255}");

  /** Gitea's first: it sends the headers of GitHub too. */
  private static final List<Sender> SENDERS =
      List.of(new GiteaSender(), new GitlabSender(), new GithubSender());

  private final Database database;
  private final ProjectStore projects;
  private final ProjectAccess access;
  private final HookSecretStore secrets;
  private final HookDeliveryStore deliveries = new HookDeliveryStore();
  private final Pushes pushes;
  private final PullRequests pullRequests;
  private final Semaphore readers = new Semaphore(READERS, true);
  private final Clock clock;

  /** Whom a message is for, and what it must be signed with. */
  private record Target(AccountId owner, HookSecret secret) {}

  public GitHooks(
      Database database,
      Vault vault,
      ProjectStore projects,
      DeploymentService deployments,
      PullRequests pullRequests,
      Clock clock) {
    this.database = database;
    this.projects = projects;
    this.access = new ProjectAccess(projects);
    this.secrets = new HookSecretStore(vault);
    this.pushes = new Pushes(deployments, deliveries, clock);
    this.pullRequests = pullRequests;
    this.clock = clock;
  }

  /**
   * Makes another secret for a project; the one before does not count any more.
   *
   * @return it, which nobody is shown again
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public Secret renewSecret(AccountId account, ProjectId id) {
    HookSecret made = HookSecret.next();
    database.useTransaction(tx -> secrets.set(tx, access.lock(tx, account, id).id(), made));
    return made.text();
  }

  /**
   * Whether a secret was made for a project.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public boolean hasSecret(AccountId account, ProjectId project) {
    return database.read(tx -> secrets.find(tx, access.own(tx, account, project).id()).isPresent());
  }

  /**
   * What was taken, newest first, at most {@code limit}, those before {@code before}.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public List<HookDelivery> list(
      AccountId account, ProjectId project, Optional<DeliveryId> before, int limit) {
    return database.read(
        tx -> deliveries.list(tx, access.own(tx, account, project).id(), before, limit));
  }

  /**
   * Looks at the head of a message, before its body is read.
   *
   * @param request without its body
   * @throws RequestException {@code NOT_FOUND}; {@code UNAUTHORIZED} where no body would do
   */
  public void requirePossible(ProjectId project, HookRequest request) {
    Target _ = possible(project, request);
  }

  private Target possible(ProjectId project, HookRequest request) {
    Sender sender = sender(request);
    Target target = target(project);
    if (!sender.isSigned(request)) {
      throw new RequestException(
          ErrorCode.UNAUTHORIZED,
          "The message is not signed: there is no header %s. Give the git host the project's secret."
              .formatted(sender.proof()));
    }
    return target;
  }

  /**
   * Takes a message; one that was taken before does nothing once more.
   *
   * @return what came of it, or had come of it
   * @throws RequestException {@code NOT_FOUND}, {@code UNAUTHORIZED}, {@code INVALID_JSON}, {@code
   *     INVALID_REQUEST} for what no host sends
   */
  public HookDelivery receive(ProjectId id, HookRequest request) {
    AccountId _ = requireProven(id, request);
    Sender sender = sender(request);
    Message message = read(sender, request);
    return database.inTransaction(tx -> {
      Project project = present(tx, id);
      Optional<String> hostId =
          sender.deliveryId(request).filter(it -> HOST_ID.matcher(it).matches());
      byte[] digest = sender.digest(request);
      return deliveries
          .known(tx, id, hostId, digest)
          .orElseGet(() -> take(tx, project, hostId, sender.event(request), digest, message));
    });
  }

  /**
   * Whether a message comes from somebody who knows the project's secret; looks at nothing else.
   *
   * @return whose project it is
   * @throws RequestException {@code NOT_FOUND}, {@code UNAUTHORIZED}
   */
  public AccountId requireProven(ProjectId id, HookRequest request) {
    Target target = possible(id, request);
    Sender sender = sender(request);
    if (!sender.isProven(request, target.secret(), clock.instant())) {
      throw new RequestException(
          ErrorCode.UNAUTHORIZED,
          "The message's %s does not fit the secret of project %s. Give the git host the secret that POST /v1/projects/%s/hook_secret answers."
              .formatted(sender.proof(), id, id));
    }
    return target.owner();
  }

  private Message read(Sender sender, HookRequest request) {
    readers.acquireUninterruptibly();
    try {
      return sender.read(sender.event(request), Payload.of(request));
    } finally {
      readers.release();
    }
  }

  private HookDelivery take(
      Handle tx,
      Project project,
      Optional<String> hostId,
      String event,
      byte[] digest,
      Message message) {
    Optional<Push> moved = Optional.empty();
    Optional<String> sameAs = Optional.empty();
    Reaction reaction;
    switch (message) {
      case Message.Ping() -> reaction = Reaction.ping("The hook works.");
      case Message.Other(String reason) -> reaction = Reaction.ignored(reason);
      case Message.Proposed proposed -> reaction = propose(tx, project, proposed);
      case Message.Pushed(Push push) -> {
        Pushes.Taken taken = pushes.take(tx, project, push);
        reaction = taken.reaction();
        moved = Optional.of(push).filter(_ -> taken.moved());
        sameAs = taken.sameAs();
      }
    }
    HookDelivery delivery = HookDelivery.of(project.id(), hostId, event, reaction, clock.instant());
    deliveries.insert(tx, delivery, digest, moved, sameAs);
    return delivery;
  }

  private Reaction propose(Handle tx, Project project, Message.Proposed proposed) {
    boolean own =
        project.repo().filter(repo -> repo.value().equalsIgnoreCase(proposed.repo())).isPresent();
    if (!own) {
      return Reaction.ignored(
          "The pull request is to %s, which the project does not come from."
              .formatted(proposed.repo()));
    }
    PullRequest pullRequest = proposed.pullRequest();
    Optional<String> skip =
        proposed.words().stream().flatMap(words -> SkipWords.in(words).stream()).findFirst();
    // One that is closed, or pointed elsewhere, has its preview removed, whatever it says.
    boolean wanted =
        pullRequest.action() != PullRequest.Action.CLOSED
            && project.settings().branch().equals(Optional.of(pullRequest.baseBranch()));
    return skip.isPresent() && wanted
        ? Reaction.ignored("Pull request %d says %s.".formatted(pullRequest.number(), skip.get()))
        : pullRequests.take(tx, project, pullRequest);
  }

  /** Forgets what was taken long ago. */
  public void forgetOld() {
    database.useTransaction(tx -> deliveries.forget(tx, clock.instant().minus(KEPT)));
  }

  private static Sender sender(HookRequest request) {
    return SENDERS.stream()
        .filter(sender -> sender.sent(request))
        .findFirst()
        .orElseThrow(() ->
            new RequestException(
                ErrorCode.UNAUTHORIZED,
                "The message is of no git host: there is no header X-GitHub-Event, X-Gitlab-Event, X-Gitea-Event or X-Forgejo-Event."));
  }

  private Target target(ProjectId id) {
    return database.read(tx -> {
      Project project =
          projects.find(tx, id).filter(GitHooks::isTold).orElseThrow(() -> unknown(id));
      return secrets
          .find(tx, id)
          .map(secret -> new Target(project.accountId(), secret))
          .orElseThrow(() ->
              new RequestException(
                  ErrorCode.UNAUTHORIZED,
                  "Project %s has no hook secret: make one with POST /v1/projects/%s/hook_secret and give it to the git host."
                      .formatted(id, id)));
    });
  }

  /** Locked, so that the same message that comes twice at a time is taken once. */
  private Project present(Handle tx, ProjectId id) {
    Project project = projects.lock(tx, id);
    if (!isTold(project)) {
      throw unknown(id);
    }
    return project;
  }

  private static boolean isTold(Project project) {
    return !project.deleted() && !project.hidden();
  }

  private static RequestException unknown(ProjectId id) {
    return new RequestException(ErrorCode.NOT_FOUND, "There is no project %s.".formatted(id));
  }
}
