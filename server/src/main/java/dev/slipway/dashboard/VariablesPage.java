package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * @param scope whose variables they are
 * @param shown those of the variables that this page shows
 * @param revealed the one with its value, where that was asked for
 * @param fields to set some
 * @param saved whether some were just set
 */
public record VariablesPage(
    ProjectHead head,
    VariableScope scope,
    NameWindow shown,
    Optional<VariableRow> revealed,
    VariableFields fields,
    boolean saved) {

  public String path() {
    return scope.path(head.id());
  }

  public boolean isOfPreviews() {
    return scope == VariableScope.PREVIEWS;
  }

  public List<VariableRow> rows() {
    return shown.names().stream()
        .map(name ->
            revealed
                .filter(row -> row.name().equals(name))
                .orElseGet(() -> new VariableRow(path(), name, Optional.empty())))
        .toList();
  }
}
