package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * How a new project would be built, and what it is set to.
 *
 * @param plan absent where there is none
 * @param refusal why there is none; absent where nobody looked
 * @param form what was filled in
 */
public record PlanPage(
    SourceFields source,
    Optional<Plan> plan,
    Optional<String> refusal,
    Choices choices,
    Form form,
    VariableFields variables) {

  /** What of the server's offers there is to choose from. */
  public record Choices(
      List<Option> frameworks,
      List<Option> regions,
      String region,
      List<Option> instanceTypes,
      int maxInstances) {
    public Choices {
      frameworks = List.copyOf(frameworks);
      regions = List.copyOf(regions);
      instanceTypes = List.copyOf(instanceTypes);
    }
  }

  /** What was filled in, else what is usual. */
  public String value(String name, String usual) {
    return form.filled(name).orElse(usual);
  }

  public String projectName() {
    return value("project_name", source.projectName());
  }

  /** An address, without the password that may have been written into it. */
  public String address(String name) {
    return form.text(name).replaceFirst("(://[^/?#:@]*):[^/?#]*@", "$1@");
  }

  /** Which way to a database was chosen. */
  public boolean isDatabase(String wish) {
    return value("database_action", "none").equals(wish);
  }

  /** What the plan found for a field that is left empty. */
  public String found(String label) {
    if (plan.isEmpty()) {
      return "";
    }
    return plan.stream()
        .flatMap(it -> it.parts().stream())
        .filter(it -> it.label().equals(label))
        .flatMap(it -> it.commands().stream())
        .map(Plan.Command::command)
        .reduce((_, last) -> last)
        .orElse("none");
  }
}
