package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The environment variables of a project. */
final class VariablePages implements Pages {
  private final ProjectHeads heads;

  VariablePages(ProjectHeads heads) {
    this.heads = heads;
  }

  @Override
  public void mount(Site site) {
    String path = "/projects/:project_id/variables";
    site.get(path, this::show);
    site.post(path, Need.CHANGE, this::save, this::show);
    site.post(path + "/reveal", Need.CHANGE, this::reveal, this::show);
    site.post(path + "/delete", Need.CHANGE, this::remove, this::show);
  }

  /** What the API tells: values are there where they were asked for. */
  private record Read(TreeMap<String, Optional<String>> envVars) {}

  private Reply show(Visit visit) {
    return page(visit, read(visit, false), Optional.empty());
  }

  private Reply save(Visit visit) {
    Map<String, String> values = VariableFields.of(visit.form()).values();
    if (values.isEmpty()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "No variable is written; fill in a name and its value.");
    }
    ObjectNode changes = JsonNodeFactory.instance.objectNode();
    values.forEach(changes::put);
    return change(visit, changes);
  }

  private Reply remove(Visit visit) {
    ObjectNode changes = JsonNodeFactory.instance.objectNode();
    changes.putNull(visit.form().text("name"));
    return change(visit, changes);
  }

  private static Reply change(Visit visit, ObjectNode changes) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("env_vars", changes);
    visit.tell(LocalRequest.of("updateEnvVars").path("project_id", project(visit)).body(body));
    return Reply.done(VariablesPage.path(project(visit)), Notice.VARIABLES_SAVED);
  }

  /** The operation reads all of them; one is shown. */
  private Reply reveal(Visit visit) {
    String name = visit.form().text("name");
    Map<String, Optional<String>> all = read(visit, true);
    Optional<String> value = Optional.ofNullable(all.get(name)).flatMap(it -> it);
    if (value.isEmpty()) {
      throw new RequestException(ErrorCode.CONFLICT, "There is no variable of that name any more.");
    }
    VariableRow row = new VariableRow(project(visit), name, value);
    return visit.isPart()
        ? new Reply.Fragment("projects/variable.jte", row)
        : page(visit, all, Optional.of(row));
  }

  private Reply page(
      Visit visit, Map<String, Optional<String>> all, Optional<VariableRow> revealed) {
    ProjectHead head = heads.of(visit, project(visit));
    String from = revealed.map(VariableRow::name).or(() -> visit.query("from")).orElse("");
    return Reply.page(
        "projects/variables.jte",
        "Variables, " + head.name(),
        Section.PROJECTS,
        new VariablesPage(
            head,
            NameWindow.of(List.copyOf(all.keySet()), from),
            revealed,
            VariableFields.of(visit.form()),
            visit.query(Notice.PARAMETER).equals(Optional.of(Notice.VARIABLES_SAVED.code()))));
  }

  private static Map<String, Optional<String>> read(Visit visit, boolean reveal) {
    return visit
        .ask(
            LocalRequest.of("getEnvVars")
                .path("project_id", project(visit))
                .query("reveal", Boolean.toString(reveal)),
            Read.class)
        .envVars();
  }

  private static String project(Visit visit) {
    return visit.path("project_id");
  }
}
