package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How an application would be built and served: what a dry run answers. */
public record Plan(String framework, String rootDirectory, Steps plan, List<Finding> findings) {
  private static final String ROOT = ".";

  /**
   * @param start empty for a site
   * @param site what is served without a program
   */
  public record Steps(
      List<Tool> tools,
      List<Command> install,
      List<Command> build,
      List<Command> start,
      Optional<Site> site,
      Optional<String> healthCheckPath,
      List<String> caches) {}

  /**
   * @param range empty for any version
   */
  public record Tool(String name, String range) {}

  /**
   * @param directory that it runs in
   */
  public record Command(String directory, String command) {
    /** Empty for the root of the repository. */
    public String place() {
      return directory.equals(ROOT) ? "" : directory;
    }
  }

  public record Site(String directory) {}

  public record Finding(String level, String message) {
    public boolean isWarning() {
      return level.equals("warning");
    }
  }

  /** Commands of one kind. */
  public record Part(String label, List<Command> commands) {}

  public String directory() {
    return rootDirectory.equals(ROOT) ? "The root of the code" : rootDirectory;
  }

  public String tools() {
    return plan.tools().stream()
        .map(it -> it.name() + " " + (it.range().isEmpty() ? "any version" : it.range()))
        .collect(Collectors.joining(", "));
  }

  public List<Part> parts() {
    return List.of(
            new Part("Install", plan.install()),
            new Part("Build", plan.build()),
            new Part("Start", plan.start()))
        .stream()
        .filter(it -> !it.commands().isEmpty())
        .toList();
  }
}
