package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.ProjectId;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.dbproject.Backup;
import dev.slipway.dbproject.DatabaseProject;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.project.ProjectService;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resource {@code /databases}. */
public final class DatabaseOperations implements Operations {
  private final DatabaseService databases;
  private final DatabaseField addresses;
  private final ProjectService projects;
  private final Paging paging;

  DatabaseOperations(
      DatabaseService databases, DatabaseField addresses, ProjectService projects, Paging paging) {
    this.databases = databases;
    this.addresses = addresses;
    this.projects = projects;
    this.paging = paging;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of(
        "listDatabases", this::list,
        "getDatabase", this::get,
        "deleteDatabase", this::drop,
        "rotateDatabase", this::rotate,
        "createBackup", this::backUp,
        "listBackups", this::backups,
        "restoreBackup", this::restore);
  }

  /** As a list shows it. */
  record View(
      String id,
      String type,
      String origin,
      String status,
      Optional<FailureView> error,
      List<String> projects,
      Instant createdAt,
      Optional<Instant> droppedAt) {
    static View of(DatabaseProject database, List<ProjectId> projects) {
      return new View(
          database.id().value(),
          database.type().wireName(),
          database.origin().wireName(),
          database.status().wireName(),
          database.failure().map(FailureView::of),
          projects.stream().map(ProjectId::value).toList(),
          database.createdAt(),
          database.droppedAt());
    }
  }

  /** What the single read adds. */
  record DetailView(
      @JsonUnwrapped View database,
      Optional<Long> sizeBytes,
      Optional<Integer> connections,
      Optional<String> version,
      Optional<ConnectionView> connection) {}

  record BackupView(
      String id,
      String status,
      String reason,
      Optional<Long> sizeBytes,
      Optional<FailureView> error,
      Instant createdAt,
      Optional<Instant> completedAt,
      Instant expiresAt) {
    static BackupView of(Backup backup) {
      return new BackupView(
          backup.id().value(),
          backup.status().wireName(),
          backup.reason().wireName(),
          backup.sizeBytes().stream().boxed().findFirst(),
          backup.failure().map(FailureView::of),
          backup.createdAt(),
          backup.completedAt(),
          backup.expiresAt());
    }
  }

  private record Used(DatabaseProject database, List<ProjectId> projects) {}

  private Answer list(Call call) {
    return paging.page(
        call,
        "databases",
        (after, limit) -> used(databases.list(call.account(), after.map(DatabaseId::new), limit)),
        used -> used.database().id().value(),
        used -> View.of(used.database(), used.projects()));
  }

  private List<Used> used(List<DatabaseProject> all) {
    Map<DatabaseId, List<ProjectId>> users =
        projects.using(all.stream().map(DatabaseProject::id).toList());
    return all.stream()
        .map(database -> new Used(database, users.getOrDefault(database.id(), List.of())))
        .toList();
  }

  private Answer get(Call call) {
    DatabaseProject database = databases.get(call.account(), id(call));
    // First: who may not see it shall not have its server asked.
    Optional<ConnectionView> connection =
        flag(call, "reveal", false)
            ? Optional.of(
                addresses.shown(databases.reveal(call.account(), database.id(), call.actor())))
            : Optional.empty();
    Optional<DatabaseFacts> facts = databases.facts(database);
    return Answer.ok(
        new DetailView(
            view(database),
            facts.map(DatabaseFacts::sizeBytes),
            facts.map(DatabaseFacts::connections),
            facts.map(DatabaseFacts::version),
            connection));
  }

  private Answer drop(Call call) {
    DatabaseId id = id(call);
    databases.drop(call.account(), id, flag(call, "backup", true));
    return Answer.ok(new DeletedView(id.value(), true));
  }

  private Answer rotate(Call call) {
    return Answer.ok(view(databases.rotate(call.account(), id(call))));
  }

  private Answer backUp(Call call) {
    return Answer.created(BackupView.of(databases.backUp(call.account(), id(call))));
  }

  private Answer backups(Call call) {
    DatabaseId id = id(call);
    return paging.page(
        call,
        "backups " + id,
        (after, limit) -> databases.backups(call.account(), id, after.map(BackupId::new), limit),
        backup -> backup.id().value(),
        BackupView::of);
  }

  private Answer restore(Call call) {
    BackupId backup = new BackupId(call.path("backup_id"));
    return Answer.ok(view(databases.restore(call.account(), id(call), backup)));
  }

  private View view(DatabaseProject database) {
    Used used = used(List.of(database)).getFirst();
    return View.of(used.database(), used.projects());
  }

  private static boolean flag(Call call, String parameter, boolean otherwise) {
    return call.query(parameter).map(Boolean::parseBoolean).orElse(otherwise);
  }

  private static DatabaseId id(Call call) {
    return new DatabaseId(call.path("database_id"));
  }
}
