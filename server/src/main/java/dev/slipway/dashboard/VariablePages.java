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
    for (VariableScope scope : VariableScope.values()) {
      String path = "/projects/:project_id" + scope.route();
      Handler show = visit -> show(visit, scope);
      site.get(path, show);
      site.post(path, Need.CHANGE, visit -> save(visit, scope), show);
      site.post(path + "/reveal", Need.CHANGE, visit -> reveal(visit, scope), show);
      site.post(path + "/delete", Need.CHANGE, visit -> remove(visit, scope), show);
    }
  }

  /** What the API tells: values are there where they were asked for. */
  private record Read(TreeMap<String, Optional<String>> envVars) {}

  private Reply show(Visit visit, VariableScope scope) {
    return page(visit, scope, read(visit, scope, false), Optional.empty());
  }

  private Reply save(Visit visit, VariableScope scope) {
    Map<String, String> values = VariableFields.of(visit.form()).values();
    if (values.isEmpty()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "No variable is written; fill in a name and its value.");
    }
    ObjectNode changes = JsonNodeFactory.instance.objectNode();
    values.forEach(changes::put);
    return change(visit, scope, changes);
  }

  private Reply remove(Visit visit, VariableScope scope) {
    ObjectNode changes = JsonNodeFactory.instance.objectNode();
    changes.putNull(visit.form().text("name"));
    return change(visit, scope, changes);
  }

  private static Reply change(Visit visit, VariableScope scope, ObjectNode changes) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("env_vars", changes);
    visit.tell(LocalRequest.of(scope.update()).path("project_id", project(visit)).body(body));
    return Reply.done(scope.path(project(visit)), scope.saved());
  }

  /** The operation reads all of them; one is shown. */
  private Reply reveal(Visit visit, VariableScope scope) {
    String name = visit.form().text("name");
    Map<String, Optional<String>> all = read(visit, scope, true);
    Optional<String> value = Optional.ofNullable(all.get(name)).flatMap(it -> it);
    if (value.isEmpty()) {
      throw new RequestException(ErrorCode.CONFLICT, "There is no variable of that name any more.");
    }
    VariableRow row = new VariableRow(scope.path(project(visit)), name, value);
    return visit.isPart()
        ? new Reply.Fragment("projects/variable.jte", row)
        : page(visit, scope, all, Optional.of(row));
  }

  private Reply page(
      Visit visit,
      VariableScope scope,
      Map<String, Optional<String>> all,
      Optional<VariableRow> revealed) {
    ProjectHead head = heads.of(visit, project(visit));
    requireSome(scope, head);
    String from = revealed.map(VariableRow::name).or(() -> visit.query("from")).orElse("");
    return Reply.page(
        "projects/variables.jte",
        "Variables, " + head.name(),
        Section.PROJECTS,
        new VariablesPage(
            head,
            scope,
            NameWindow.of(List.copyOf(all.keySet()), from),
            revealed,
            VariableFields.of(visit.form()),
            visit.query(Notice.PARAMETER).equals(Optional.of(scope.saved().code()))));
  }

  private static void requireSome(VariableScope scope, ProjectHead head) {
    if (scope == VariableScope.PREVIEWS && head.repo().isEmpty()) {
      throw new RequestException(
          ErrorCode.NOT_FOUND,
          "%s comes from archives: it has no pull requests, and no previews of them."
              .formatted(head.name()));
    }
  }

  private static Map<String, Optional<String>> read(
      Visit visit, VariableScope scope, boolean reveal) {
    return visit
        .ask(
            LocalRequest.of(scope.read())
                .path("project_id", project(visit))
                .query("reveal", Boolean.toString(reveal)),
            Read.class)
        .envVars();
  }

  private static String project(Visit visit) {
    return visit.path("project_id");
  }
}
