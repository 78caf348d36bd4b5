package dev.slipway.api;

import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.Overrides;
import dev.slipway.framework.Tool;
import dev.slipway.project.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How an application would be built and served, as a dry run shows it. */
record PlanView(String framework, String rootDirectory, Plan plan, List<FindingView> findings) {
  /** What a shell would take as one word, variables included. */
  private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_@%+=:,./${}~^-]+");

  /**
   * @param start empty for a site
   * @param healthCheckPath absent for a site
   */
  record Plan(
      List<Tool> tools,
      List<CommandView> install,
      List<CommandView> build,
      List<CommandView> start,
      Optional<SiteView> site,
      Optional<String> healthCheckPath,
      List<String> caches) {}

  /**
   * @param command for people to read
   * @param argv the same, word by word
   */
  record CommandView(
      String directory, String command, List<String> argv, Map<String, String> env) {}

  record SiteView(String directory, Optional<String> fallback, boolean cleanUrls) {}

  record FindingView(String level, String message) {}

  static PlanView of(BuildPlan plan, Overrides overrides) {
    return new PlanView(
        plan.framework(),
        BuildFields.shown(plan.rootDirectory()),
        switch (plan.serving()) {
          case Serving.Program program ->
              new Plan(
                  plan.tools(),
                  install(plan),
                  steps(plan.steps()),
                  start(program),
                  Optional.empty(),
                  overrides
                      .healthCheckPath()
                      .or(program::healthCheckPath)
                      .or(() -> Optional.of(Settings.HEALTH_CHECK_PATH)),
                  plan.caches());
          case Serving.Site site ->
              new Plan(
                  plan.tools(),
                  install(plan),
                  steps(plan.steps()),
                  List.of(),
                  Optional.of(
                      new SiteView(
                          BuildFields.shown(site.directory()), site.fallback(), site.cleanUrls())),
                  Optional.empty(),
                  plan.caches());
        },
        plan.findings().stream()
            .map(it -> new FindingView(it.warning() ? "warning" : "info", it.sentence()))
            .toList());
  }

  private static List<CommandView> install(BuildPlan plan) {
    return plan.install().map(install -> steps(install.steps())).orElseGet(List::of);
  }

  private static List<CommandView> steps(List<BuildPlan.Step> steps) {
    return steps.stream().map(it -> command(it.directory(), it.argv(), it.env())).toList();
  }

  private static List<CommandView> start(Serving.Program program) {
    return program.commands().stream()
        .map(argv -> command(program.directory(), argv, program.env()))
        .toList();
  }

  private static CommandView command(String directory, List<String> argv, Map<String, String> env) {
    String line = argv.stream().map(PlanView::quoted).collect(Collectors.joining(" "));
    return new CommandView(BuildFields.shown(directory), line, argv, env);
  }

  private static String quoted(String word) {
    return PLAIN_WORD.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
