package dev.slipway.project;

import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Which projects an account may use. Loaded by id and then checked: what exists in another account
 * is forbidden, not unknown; the row behind a preview is unknown to everybody. Every call runs in
 * the caller's transaction.
 */
public final class ProjectAccess {
  private final ProjectStore store;

  public ProjectAccess(ProjectStore store) {
    this.store = store;
  }

  /**
   * The account's project.
   *
   * @throws RequestException {@code NOT_FOUND}, also where it is deleted; {@code FORBIDDEN}
   */
  public Project own(Handle tx, AccountId account, ProjectId id) {
    return present(own(store.find(tx, id), account, id));
  }

  /** {@link #own}, and nobody changes it until the transaction ends; many may hold it so. */
  public Project share(Handle tx, AccountId account, ProjectId id) {
    return present(own(store.share(tx, id), account, id));
  }

  /** {@link #own}, its row locked until the transaction ends. */
  public Project lock(Handle tx, AccountId account, ProjectId id) {
    own(tx, account, id);
    return present(store.lock(tx, id));
  }

  /** The account's project, for its history: a deleted one too. */
  public Project ownEvenDeleted(Handle tx, AccountId account, ProjectId id) {
    return own(store.find(tx, id), account, id);
  }

  private static Project own(Optional<Project> found, AccountId account, ProjectId id) {
    Project project = found.filter(it -> !it.hidden()).orElseThrow(() -> unknown(id));
    if (!project.accountId().equals(account)) {
      throw new RequestException(
          ErrorCode.FORBIDDEN, "This key has no access to project %s.".formatted(id));
    }
    return project;
  }

  private static Project present(Project project) {
    if (project.deleted()) {
      throw unknown(project.id());
    }
    return project;
  }

  private static RequestException unknown(ProjectId id) {
    return new RequestException(ErrorCode.NOT_FOUND, "There is no project %s.".formatted(id));
  }
}
