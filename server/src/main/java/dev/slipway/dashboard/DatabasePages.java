package dev.slipway.dashboard;

import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The databases of an account, their logins and backups. */
final class DatabasePages implements Pages {
  private static final String HERE = Site.BASE + "/databases";

  private final DatabasePanels panels;

  DatabasePages(DatabasePanels panels) {
    this.panels = panels;
  }

  @Override
  public void mount(Site site) {
    String one = "/databases/:database_id";
    site.get("/databases", this::list);
    site.get(one, this::show);
    site.get(one + "/state", this::state);
    site.get(one + "/facts", visit -> part("databases/facts.jte", panels.asked(visit, id(visit))));
    site.get(
        one + "/backups", visit -> part("databases/backups.jte", panels.backups(visit, id(visit))));
    site.post(one + "/reveal", Need.CHANGE, this::reveal, this::show);
    site.post(one + "/rotate", Need.CHANGE, this::rotate, this::show);
    site.post(one + "/backups", Need.CHANGE, this::backUp, this::show);
    site.post(one + "/backups/:backup_id/restore", Need.CHANGE, this::restore, this::show);
    site.post(one + "/delete", Need.CHANGE, this::drop, this::show);
  }

  private Reply list(Visit visit) {
    Optional<String> cursor = visit.query("cursor");
    LocalRequest asked = LocalRequest.of("listDatabases");
    LocalApi.Listed<DatabaseLine> listed =
        visit.list(cursor.map(it -> asked.query("cursor", it)).orElse(asked), DatabaseLine.class);
    Map<ProjectId, String> names =
        panels.names(
            visit, listed.records().stream().flatMap(it -> it.projects().stream()).toList());
    List<DatabasesPage.Row> rows =
        listed.records().stream()
            .map(it -> new DatabasesPage.Row(it, DatabasePanels.links(it, names)))
            .toList();
    return Reply.page(
        "databases/list.jte",
        "Databases",
        Section.DATABASES,
        new DatabasesPage(
            rows, cursor.isEmpty(), listed.nextCursor().map(it -> HERE + "?cursor=" + it)));
  }

  private Reply show(Visit visit) {
    return page(visit, Optional.empty());
  }

  private Reply page(Visit visit, Optional<DatabaseConnection> connection) {
    DatabasePanel panel = panels.of(visit, id(visit), path(visit), connection);
    return Reply.page(
        "databases/one.jte",
        "%s %s".formatted(panel.database().kind(), Shown.id(panel.database().id())),
        Section.DATABASES,
        panel);
  }

  /** The page is loaded anew once there is something else to do. */
  private Reply state(Visit visit) {
    DatabasePanel panel = panels.of(visit, id(visit), path(visit), Optional.empty());
    return panel.database().isBusy()
        ? part("databases/state.jte", panel)
        : new Reply.Elsewhere(path(visit));
  }

  /** As much of the answer as is shown. */
  private record Revealed(DatabaseConnection connection) {}

  private Reply reveal(Visit visit) {
    DatabaseConnection connection =
        visit.ask(at(visit, "getDatabase").query("reveal", "true"), Revealed.class).connection();
    return visit.isPart()
        ? part(
            "databases/connection.jte",
            panels.of(visit, id(visit), path(visit), Optional.of(connection)))
        : page(visit, Optional.of(connection));
  }

  private Reply rotate(Visit visit) {
    visit.tell(at(visit, "rotateDatabase"));
    return Reply.done(path(visit), Notice.DATABASE_ROTATED);
  }

  private Reply backUp(Visit visit) {
    visit.tell(at(visit, "createBackup"));
    return Reply.done(path(visit), Notice.BACKUP_STARTED);
  }

  private Reply restore(Visit visit) {
    visit.tell(at(visit, "restoreBackup").path("backup_id", visit.path("backup_id")));
    return Reply.done(path(visit), Notice.RESTORE_STARTED);
  }

  private Reply drop(Visit visit) {
    if (!visit.form().text("confirm").equals(DatabaseLine.tail(id(visit)))) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "Nothing was dropped: type the last four characters of the database's identifier to confirm.");
    }
    visit.tell(
        at(visit, "deleteDatabase")
            .query("backup", Boolean.toString(visit.form().checked("backup"))));
    return Reply.done(path(visit), Notice.DATABASE_DROPPED);
  }

  private static LocalRequest at(Visit visit, String operation) {
    return LocalRequest.of(operation).path("database_id", id(visit));
  }

  private static Reply part(String template, Object shown) {
    return new Reply.Fragment(template, shown);
  }

  private static String id(Visit visit) {
    return visit.path("database_id");
  }

  private static String path(Visit visit) {
    return "%s/%s".formatted(HERE, id(visit));
  }
}
