package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ProjectId;
import dev.slipway.project.EnvScope;
import dev.slipway.project.ProjectService;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The resources {@code /projects/{project_id}/env_vars} and {@code
 * /projects/{project_id}/preview_env_vars}.
 */
public final class EnvVarOperations implements Operations {
  private final ProjectService projects;

  EnvVarOperations(ProjectService projects) {
    this.projects = projects;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of(
        "getEnvVars", call -> get(call, EnvScope.PRODUCTION),
        "replaceEnvVars", call -> replace(call, EnvScope.PRODUCTION),
        "updateEnvVars", call -> merge(call, EnvScope.PRODUCTION),
        "getPreviewEnvVars", call -> get(call, EnvScope.PREVIEWS),
        "replacePreviewEnvVars", call -> replace(call, EnvScope.PREVIEWS),
        "updatePreviewEnvVars", call -> merge(call, EnvScope.PREVIEWS));
  }

  @Override
  public Map<String, Check> checks() {
    return Map.of(
        "replaceEnvVars", EnvVarsField::check,
        "updateEnvVars", EnvVarsField::check,
        "replacePreviewEnvVars", EnvVarsField::check,
        "updatePreviewEnvVars", EnvVarsField::check);
  }

  /**
   * @param envVars by name; the values are null unless they were asked for
   */
  record View(
      @JsonInclude(content = JsonInclude.Include.ALWAYS)
          SortedMap<String, @Nullable String> envVars) {
    static View revealed(EnvVars env) {
      return new View(new TreeMap<>(env.values()));
    }

    static View namesOf(EnvVars env) {
      SortedMap<String, @Nullable String> names = new TreeMap<>();
      env.values().keySet().forEach(name -> names.put(name, null));
      return new View(names);
    }
  }

  private Answer get(Call call, EnvScope scope) {
    boolean reveal = call.query("reveal").map(Boolean::parseBoolean).orElse(false);
    return Answer.ok(
        reveal
            ? View.revealed(projects.reveal(call.account(), id(call), scope, call.actor()))
            : View.namesOf(projects.env(call.account(), id(call), scope)));
  }

  private Answer replace(Call call, EnvScope scope) {
    return Answer.ok(
        View.namesOf(
            projects.changeEnv(
                call.account(),
                id(call),
                scope,
                earlier -> EnvVarsField.merged(call, EnvVars.NONE))));
  }

  private Answer merge(Call call, EnvScope scope) {
    return Answer.ok(
        View.namesOf(
            projects.changeEnv(
                call.account(), id(call), scope, earlier -> EnvVarsField.merged(call, earlier))));
  }

  private static ProjectId id(Call call) {
    return new ProjectId(call.path("project_id"));
  }
}
