package dev.slipway.dashboard;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Some of the deployments of all projects, newest first.
 *
 * @param lines those that are as the visitor asks
 * @param asked what he asks for, by the names of the query; the cursor is among it
 * @param states to choose from
 * @param projects to choose from
 * @param older where the next ones begin
 */
public record DeploymentsPage(
    List<DeploymentLine> lines,
    Map<String, String> asked,
    List<Option> states,
    List<Option> projects,
    Optional<String> older) {
  static final String CURSOR = "cursor";
  private static final String PATH = Site.BASE + "/deployments";

  public DeploymentsPage {
    lines = List.copyOf(lines);
    asked = Map.copyOf(asked);
    states = List.copyOf(states);
    projects = List.copyOf(projects);
  }

  /** Empty where any will do. */
  public String asked(String name) {
    return asked.getOrDefault(name, "");
  }

  /** Where the rows alone are, to be looked at again. */
  public String rowsPath() {
    return PATH + "/rows" + query(asked(CURSOR));
  }

  /** How often. */
  public String trigger() {
    return lines.stream().anyMatch(it -> it.state().isUnderWay()) ? "every 3s" : "every 15s";
  }

  /** Empty where these are the newest. */
  public String newestPath() {
    return asked(CURSOR).isEmpty() ? "" : PATH + query("");
  }

  /** Empty where there are none. */
  public String olderPath() {
    return older.map(it -> PATH + query(it)).orElse("");
  }

  /** The same filters, from another place on. */
  private String query(String cursor) {
    String parameters =
        Stream.concat(
                asked.entrySet().stream().filter(it -> !it.getKey().equals(CURSOR)),
                Stream.of(Map.entry(CURSOR, cursor)))
            .filter(it -> !it.getValue().isEmpty())
            .sorted(Map.Entry.comparingByKey())
            .map(it -> it.getKey() + "=" + Shown.encoded(it.getValue()))
            .collect(Collectors.joining("&"));
    return parameters.isEmpty() ? "" : "?" + parameters;
  }
}
