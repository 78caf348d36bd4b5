package dev.slipway.preview;

import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.deployment.ProgramLog;
import dev.slipway.deployment.ProgramPlaces;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.Routes;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectAccess;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What a client can ask of previews. Thread-safe. */
public final class PreviewService {
  private final Database database;
  private final PreviewStore store;
  private final PreviewChanges changes;
  private final ProjectAccess projects;
  private final DeploymentService deployments;
  private final Routes routes;
  private final Addresses addresses;

  PreviewService(
      Database database,
      PreviewStore store,
      PreviewChanges changes,
      ProjectAccess projects,
      DeploymentService deployments,
      Routes routes,
      Addresses addresses) {
    this.database = database;
    this.store = store;
    this.changes = changes;
    this.projects = projects;
    this.deployments = deployments;
    this.routes = routes;
    this.addresses = addresses;
  }

  /**
   * A preview with its addresses.
   *
   * @param url once it has been live, until it is removed
   */
  public record Detail(Preview preview, Optional<String> url, String logsUrl) {}

  /**
   * At most {@code limit} previews of a project, newest first, those before {@code before}.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public List<Detail> list(
      AccountId account,
      ProjectId project,
      Optional<PreviewStatus> status,
      Optional<PreviewId> before,
      int limit) {
    return database.read(tx -> {
      projects.own(tx, account, project);
      return store.list(tx, project, status, before, limit).stream().map(this::detail).toList();
    });
  }

  /**
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public Detail get(AccountId account, ProjectId project, PreviewId id) {
    return database.read(tx -> detail(own(tx, account, project, id)));
  }

  /**
   * Removes a preview; one that is removed stays so.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public void remove(AccountId account, ProjectId project, PreviewId id) {
    // Apart: after a transaction of the routes that fails, the edge reads all of them again.
    database.useTransaction(tx -> own(tx, account, project, id));
    routes.changing(tx -> {
      projects.lock(tx, account, project);
      changes.remove(tx, find(tx, project, id));
      return id;
    });
  }

  /**
   * Builds the commit of a preview again.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where it is
   *     removed
   */
  public Detail redeploy(AccountId account, ProjectId project, PreviewId id) {
    return database.inTransaction(tx -> {
      Project parent = projects.lock(tx, account, project);
      Preview preview = find(tx, project, id);
      if (preview.removed()) {
        throw new RequestException(
            ErrorCode.CONFLICT,
            "Preview %s is removed; a push to pull request %d makes another."
                .formatted(id, preview.head().number()));
      }
      changes.rebuild(tx, parent, preview);
      return detail(find(tx, project, id));
    });
  }

  /**
   * The log of its newest build.
   *
   * @throws RequestException {@code NOT_FOUND}, also where it was removed too long ago; {@code
   *     FORBIDDEN}
   */
  public String logId(AccountId account, ProjectId project, PreviewId id) {
    return newest(account, project, id).logId();
  }

  /** What the program of its newest build prints; fails as {@link #logId} does. */
  public ProgramLog programLog(
      AccountId account, ProjectId project, PreviewId id, ProgramPlaces places) {
    return deployments.programLog(newest(account, project, id).id(), places);
  }

  private Preview.Build newest(AccountId account, ProjectId project, PreviewId id) {
    return database
        .read(tx -> own(tx, account, project, id))
        .newest()
        .orElseThrow(() ->
            new RequestException(
                ErrorCode.NOT_FOUND,
                "The log of preview %s is not kept any more: it was removed more than a day ago."
                    .formatted(id)));
  }

  private Preview own(Handle tx, AccountId account, ProjectId project, PreviewId id) {
    projects.own(tx, account, project);
    return find(tx, project, id);
  }

  private Preview find(Handle tx, ProjectId project, PreviewId id) {
    return store
        .find(tx, id)
        .filter(preview -> preview.project().equals(project))
        .orElseThrow(() ->
            new RequestException(
                ErrorCode.NOT_FOUND, "Project %s has no preview %s.".formatted(project, id)));
  }

  private Detail detail(Preview preview) {
    return new Detail(
        preview,
        preview.label().map(addresses::ofApp),
        addresses.ofApi(
            "/projects/%s/previews/%s/logs".formatted(preview.project(), preview.id())));
  }
}
