package dev.slipway.api;

import dev.slipway.dbproject.DatabaseService;
import java.util.List;

/** The operations of all resources, put together. */
final class Resources {
  private final Api.Parts parts;
  private final Paging paging;
  private final EventStreams streams = new EventStreams();
  private final DeploymentLogs deploymentLogs;
  private final MigrationOperations migrations;
  private final DeploymentOperations deployments;
  private final ProjectOperations projects;
  private final DomainOperations domains;
  private final DatabaseOperations databases;

  Resources(Api.Parts parts) {
    this.parts = parts;
    this.paging = new Paging(new Cursors(parts.vault()));
    LogAnswers logs = new LogAnswers(parts.logs(), streams);
    this.deploymentLogs = new DeploymentLogs(logs);
    Api.ProjectParts project = parts.projects();
    DatabaseService service = project.databases().service();
    DatabaseField databaseField = new DatabaseField(project.databases().providers());
    this.migrations =
        new MigrationOperations(
            parts.migrations(),
            parts.dryRuns(),
            parts.choices(),
            project.domains(),
            service,
            databaseField,
            logs,
            paging,
            parts.addresses());
    this.deployments =
        new DeploymentOperations(parts.deployments(), deploymentLogs, paging, parts.addresses());
    this.projects =
        new ProjectOperations(
            project.service(),
            project.restarts(),
            service,
            parts.choices(),
            paging,
            parts.addresses());
    this.domains =
        new DomainOperations(
            project.domains(),
            project.certificates(),
            project.service(),
            paging,
            parts.addresses());
    this.databases = new DatabaseOperations(service, databaseField, project.service(), paging);
  }

  List<Operations> all() {
    Api.ProjectParts project = parts.projects();
    return List.of(
        migrations,
        deployments,
        projects,
        new PreviewOperations(project.previews(), deploymentLogs, paging),
        databases,
        new UploadOperations(parts.uploads()),
        new EnvVarOperations(project.service()),
        domains,
        new HookOperations(project.hooks(), paging, parts.addresses()),
        new MetricsOperations(project.service(), project.metrics(), parts.clock()),
        new EventOperations(parts.events(), project.service(), streams, paging),
        new WebhookOperations(parts.webhooks(), paging),
        new CatalogOperations(
            parts.accounts(), parts.choices(), project.instanceTypes(), project.tiers()));
  }

  Announcer announcer() {
    return new Announcer(
        parts.events(),
        parts.deployments(),
        parts.migrations(),
        new Announcer.Views(deployments, migrations, projects, domains));
  }
}
