package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.project.Previews;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a project is set to, and its end. */
final class ProjectSettingsPages implements Pages {
  private static final int LAST_MESSAGES = 5;

  private final ProjectHeads heads;
  private final ProjectService projects;
  private final GitHookSections hooks;
  private final List<String> frameworks;

  /**
   * @param frameworks that the server builds
   */
  ProjectSettingsPages(
      ProjectHeads heads, ProjectService projects, GitHookSections hooks, List<String> frameworks) {
    this.heads = heads;
    this.projects = projects;
    this.hooks = hooks;
    this.frameworks = List.copyOf(frameworks);
  }

  @Override
  public void mount(Site site) {
    String path = "/projects/:project_id/settings";
    site.get(path, this::show);
    site.post(path + "/general", Need.CHANGE, this::general, this::show);
    site.post(path + "/archive", Need.CHANGE, this::deploy, this::show);
    site.post(path + "/build", Need.CHANGE, this::build, this::show);
    site.post(path + "/run", Need.CHANGE, this::run, this::show);
    site.post(path + "/deploys", Need.CHANGE, this::deploys, this::show);
    site.post(path + "/delete", Need.CHANGE, this::delete, this::show);
  }

  // The API tells what was found out where nobody has said anything; here that must stay empty.
  private Reply show(Visit visit) {
    ProjectHead head = heads.of(visit, id(visit));
    Project project = projects.get(visit.who().account().id(), new ProjectId(head.id()));
    ProjectSettingsFields fields = ProjectSettingsFields.of(project).with(visit.form());
    List<Option> choices = new ArrayList<>(List.of(new Option("", "Detect")));
    frameworks.forEach(it -> choices.add(new Option(it, Shown.framework(it))));
    return Reply.page(
        "projects/settings.jte",
        "Settings, " + head.name(),
        Section.PROJECTS,
        new ProjectSettingsPage(
            head,
            project,
            fields,
            head.repo().map(_ -> hook(visit, head.id())),
            choices,
            InstanceTypes.options(visit, fields.instanceType())));
  }

  private GitHookSection hook(Visit visit, String project) {
    return hooks.of(
        visit,
        project,
        GitHookSections.messages(visit, project, LAST_MESSAGES, Optional.empty()).records());
  }

  private Reply general(Visit visit) {
    return change(visit, visit.form().json("name", "branch"));
  }

  private record Triggered(String id) {}

  /** Of an archive that was uploaded; later deployments are of it too. */
  private Reply deploy(Visit visit) {
    String upload =
        visit
            .form()
            .filled("upload_id")
            .orElseThrow(() ->
                new RequestException(
                    ErrorCode.INVALID_REQUEST,
                    "No archive was uploaded: choose a zip and wait until it is."));
    ObjectNode wish = JsonNodeFactory.instance.objectNode();
    wish.put("project_id", id(visit)).put("upload_id", upload);
    Triggered deployment =
        visit.ask(LocalRequest.of("triggerDeployment").body(wish), Triggered.class);
    return new Reply.Elsewhere(DeploymentLine.path(deployment.id()));
  }

  private Reply build(Visit visit) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    for (String field :
        List.of(
            "framework",
            "root_directory",
            "install_command",
            "build_command",
            "output_directory")) {
      set(change, field, visit.form());
    }
    return change(visit, change);
  }

  private Reply run(Visit visit) {
    Form form = visit.form();
    ObjectNode change = form.json("instance_type");
    set(change, "start_command", form);
    set(change, "health_check_path", form);
    number(change, "instances", form.text("instances"));
    form.filled("sleep_after_seconds")
        .ifPresentOrElse(
            it -> number(change, "sleep_after_seconds", it),
            () -> change.putNull("sleep_after_seconds"));
    return change(visit, change);
  }

  private Reply deploys(Visit visit) {
    Form form = visit.form();
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    if (ProjectFacts.of(visit, id(visit)).repo().isPresent()) { // nobody pushes archives
      change.put("auto_deploy", form.checked("auto_deploy"));
      change.put("preview_forks", form.checked("preview_forks"));
    }
    change.put(
        "previews", (form.checked("previews") ? Previews.UNLISTED : Previews.OFF).wireName());
    return change(visit, change);
  }

  private Reply delete(Visit visit) {
    String name = ProjectFacts.of(visit, id(visit)).name();
    if (!visit.form().text("confirm").equals(name.strip())) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "Nothing was deleted: type the name of the project, %s, to confirm.".formatted(name));
    }
    visit.tell(
        LocalRequest.of("deleteProject")
            .path("project_id", id(visit))
            .query("delete_databases", Boolean.toString(visit.form().checked("delete_databases"))));
    return Reply.done(Site.BASE + "/projects", Notice.PROJECT_DELETED);
  }

  private static Reply change(Visit visit, ObjectNode change) {
    visit.tell(LocalRequest.of("updateProject").path("project_id", id(visit)).body(change));
    return Reply.done(ProjectSettingsPage.path(id(visit)), Notice.SETTINGS_SAVED);
  }

  /** What is left empty is found out again. */
  private static void set(ObjectNode change, String field, Form form) {
    form.filled(field).ifPresentOrElse(it -> change.put(field, it), () -> change.putNull(field));
  }

  /** What is no number goes as it is to where it is refused with the reason. */
  private static void number(ObjectNode change, String field, String typed) {
    if (typed.matches("\\d{1,9}")) {
      change.put(field, Integer.parseInt(typed));
    } else {
      change.put(field, typed);
    }
  }

  private static String id(Visit visit) {
    return visit.path("project_id");
  }
}
