package dev.slipway.dashboard;

import dev.slipway.framework.Overrides;
import dev.slipway.project.Previews;
import dev.slipway.project.Project;
import dev.slipway.project.Settings;
import java.util.Optional;

/**
 * What stands in the fields of a project's settings; empty where nobody has said.
 *
 * @param sleepAfter in seconds
 */
public record ProjectSettingsFields(
    String name,
    String branch,
    String framework,
    String rootDirectory,
    String installCommand,
    String buildCommand,
    String outputDirectory,
    String startCommand,
    String healthCheckPath,
    String instanceType,
    String instances,
    String sleepAfter,
    boolean autoDeploy,
    boolean previews,
    boolean previewForks) {

  static ProjectSettingsFields of(Project project) {
    Settings settings = project.settings();
    Overrides overrides = settings.overrides();
    return new ProjectSettingsFields(
        project.name(),
        settings.branch().orElse(""),
        overrides.framework().orElse(""),
        overrides.rootDirectory().map(it -> it.isEmpty() ? "." : it).orElse(""),
        overrides.installCommand().orElse(""),
        overrides.buildCommand().orElse(""),
        overrides.outputDirectory().map(it -> it.isEmpty() ? "." : it).orElse(""),
        overrides.startCommand().orElse(""),
        overrides.healthCheckPath().orElse(""),
        settings.instanceType(),
        Integer.toString(settings.instances()),
        settings.sleepAfter().map(it -> Long.toString(it.toSeconds())).orElse(""),
        settings.autoDeploy(),
        settings.previews() != Previews.OFF,
        settings.previewForks());
  }

  /** With what was typed in those of its fields that the form has. */
  ProjectSettingsFields with(Form form) {
    return new ProjectSettingsFields(
        typed(form, "name", name),
        typed(form, "branch", branch),
        typed(form, "framework", framework),
        typed(form, "root_directory", rootDirectory),
        typed(form, "install_command", installCommand),
        typed(form, "build_command", buildCommand),
        typed(form, "output_directory", outputDirectory),
        typed(form, "start_command", startCommand),
        typed(form, "health_check_path", healthCheckPath),
        typed(form, "instance_type", instanceType),
        typed(form, "instances", instances),
        typed(form, "sleep_after_seconds", sleepAfter),
        autoDeploy,
        previews,
        previewForks);
  }

  private static String typed(Form form, String name, String otherwise) {
    return Optional.of(form)
        .filter(it -> it.checked(name))
        .map(it -> it.text(name))
        .orElse(otherwise);
  }
}
