package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * @param shown those of the variables that this page shows
 * @param revealed the one with its value, where that was asked for
 * @param fields to set some
 * @param saved whether some were just set
 */
public record VariablesPage(
    ProjectHead head,
    NameWindow shown,
    Optional<VariableRow> revealed,
    VariableFields fields,
    boolean saved) {

  static String path(String project) {
    return ProjectHead.path(project) + "/variables";
  }

  public List<VariableRow> rows() {
    return shown.names().stream()
        .map(name ->
            revealed
                .filter(row -> row.name().equals(name))
                .orElseGet(() -> new VariableRow(head.id(), name, Optional.empty())))
        .toList();
  }
}
