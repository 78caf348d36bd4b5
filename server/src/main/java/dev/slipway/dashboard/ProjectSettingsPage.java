package dev.slipway.dashboard;

import dev.slipway.project.Project;
import java.util.List;
import java.util.Optional;

/**
 * What a project is set to.
 *
 * @param hook absent where nobody pushes, as with archives
 * @param frameworks to choose from, as are the instance types
 */
public record ProjectSettingsPage(
    ProjectHead head,
    Project project,
    ProjectSettingsFields fields,
    Optional<GitHookSection> hook,
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
