package dev.slipway.dashboard;

import dev.slipway.project.Project;
import java.util.List;

/**
 * What a project is set to.
 *
 * @param frameworks to choose from, as are the instance types
 */
public record ProjectSettingsPage(
    ProjectHead head,
    Project project,
    ProjectSettingsFields fields,
    List<Option> frameworks,
    List<Option> instanceTypes) {
  public ProjectSettingsPage {
    frameworks = List.copyOf(frameworks);
    instanceTypes = List.copyOf(instanceTypes);
  }

  static String path(String project) {
    return ProjectHead.path(project) + "/settings";
  }

  public String path() {
    return path(head.id());
  }

  public boolean isFromGit() {
    return project.repo().isPresent();
  }
}
