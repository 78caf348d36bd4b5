package dev.slipway.api;

import dev.slipway.core.AccountId;
import dev.slipway.core.ProjectId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentListener;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.domain.Domain;
import dev.slipway.domain.DomainListener;
import dev.slipway.event.EventType;
import dev.slipway.event.Events;
import dev.slipway.migration.Migration;
import dev.slipway.migration.MigrationListener;
import dev.slipway.migration.MigrationService;
import dev.slipway.migration.MigrationStatus;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectListener;
import java.nio.charset.StandardCharsets;
import org.jdbi.v3.core.Handle;

/**
 * Writes down what happens, in the words of the API and in the transaction in which it does: each
 * event has the resource as a read would show it right after the commit. What is behind a preview
 * of a pull request is no resource: there are no events of it.
 */
public final class Announcer
    implements DeploymentListener, MigrationListener, ProjectListener, DomainListener {
  private final Events events;
  private final DeploymentService deployments;
  private final MigrationService migrations;
  private final Views views;

  Announcer(
      Events events, DeploymentService deployments, MigrationService migrations, Views views) {
    this.events = events;
    this.deployments = deployments;
    this.migrations = migrations;
    this.views = views;
  }

  /** What makes the resources' views. */
  record Views(
      DeploymentOperations deployments,
      MigrationOperations migrations,
      ProjectOperations projects,
      DomainOperations domains) {}

  @Override
  public void moved(Handle tx, Deployment deployment) {
    if (deployment.hidden()) {
      return;
    }
    write(
        tx,
        type(deployment.status()),
        subject(deployment.accountId(), deployment.projectId(), deployment.id().value()),
        views.deployments().detailView(deployments.describe(tx, deployment)));
  }

  private static EventType type(DeploymentStatus status) {
    return switch (status) {
      case QUEUED -> EventType.DEPLOYMENT_QUEUED;
      case BUILDING -> EventType.DEPLOYMENT_BUILDING;
      case DEPLOYING -> EventType.DEPLOYMENT_DEPLOYING;
      case LIVE -> EventType.DEPLOYMENT_LIVE;
      case FAILED -> EventType.DEPLOYMENT_FAILED;
      case ROLLED_BACK -> EventType.DEPLOYMENT_ROLLED_BACK;
    };
  }

  @Override
  public void moved(Handle tx, Migration migration) {
    write(
        tx,
        type(migration.status()),
        subject(migration.accountId(), migration.projectId(), migration.id().value()),
        views.migrations().detailView(migrations.describe(tx, migration)));
  }

  private static EventType type(MigrationStatus status) {
    return switch (status) {
      case PENDING -> EventType.MIGRATION_PENDING;
      case PROCESSING -> EventType.MIGRATION_PROCESSING;
      case COMPLETE -> EventType.MIGRATION_COMPLETE;
      case FAILED -> EventType.MIGRATION_FAILED;
    };
  }

  @Override
  public void created(Handle tx, Project project) {
    write(tx, EventType.PROJECT_CREATED, project);
  }

  @Override
  public void deleted(Handle tx, Project project) {
    if (!project.hidden()) {
      write(tx, EventType.PROJECT_DELETED, project);
    }
  }

  private void write(Handle tx, EventType type, Project project) {
    write(
        tx,
        type,
        subject(project.accountId(), project.id(), project.id().value()),
        views.projects().view(tx, project));
  }

  @Override
  public void active(Handle tx, Domain domain) {
    write(tx, EventType.DOMAIN_ACTIVE, domain);
  }

  @Override
  public void failed(Handle tx, Domain domain) {
    write(tx, EventType.DOMAIN_FAILED, domain);
  }

  private void write(Handle tx, EventType type, Domain domain) {
    write(
        tx,
        type,
        subject(domain.holder().account(), domain.holder().project(), domain.id().value()),
        views.domains().view(tx, domain));
  }

  private void write(Handle tx, EventType type, Events.Subject subject, Object view) {
    events.write(tx, type, subject, new String(Json.write(view), StandardCharsets.UTF_8));
  }

  private static Events.Subject subject(AccountId account, ProjectId project, String resource) {
    return new Events.Subject(account, project, resource);
  }
}
