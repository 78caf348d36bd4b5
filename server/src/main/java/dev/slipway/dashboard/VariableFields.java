package dev.slipway.dashboard;

import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a form for environment variables, and the place in it to paste a {@code .env} file,
 * as they were filled in.
 *
 * @param rows those that are not empty
 * @param pasted what was not yet taken over into rows
 */
public record VariableFields(List<Row> rows, String pasted) {
  public static final VariableFields NONE = new VariableFields(List.of(), "");

  /** How many rows a form has at least. */
  private static final int ROWS = 2;

  public VariableFields {
    rows = List.copyOf(rows);
  }

  /**
   * @param value empty is a value too
   */
  public record Row(String name, String value) {
    boolean isEmpty() {
      return name.isEmpty() && value.isEmpty();
    }
  }

  static VariableFields of(Form form) {
    List<String> names = form.all("env_name");
    List<String> values = form.all("env_value");
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < Math.min(names.size(), values.size()); i++) {
      rows.add(new Row(names.get(i).strip(), Form.lines(values.get(i))));
    }
    rows.removeIf(Row::isEmpty);
    return new VariableFields(
        rows, form.all("env_paste").stream().findFirst().map(Form::lines).orElse(""));
  }

  /** The rows to show: with empty ones to write in. */
  public List<Row> shown() {
    List<Row> shown = new ArrayList<>(rows);
    while (shown.size() < ROWS) {
      shown.add(new Row("", ""));
    }
    return shown;
  }

  /**
   * What was written, by name; a name's last value counts, those that were pasted come last.
   *
   * @throws RequestException {@code INVALID_REQUEST} for a name that none can have, or a {@code
   *     .env} file that cannot be read
   */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    for (Row row : rows) {
      requireName(row.name());
      values.put(row.name(), row.value());
    }
    values.putAll(DotEnv.read(pasted));
    return values;
  }

  private static void requireName(String name) {
    if (name.isEmpty()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "A value has no name; write one, or remove the row.");
    }
    if (!EnvVars.NAME.matcher(name).matches()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "%s is not the name of a variable; it must have letters, digits and underscores alone, at most 128, and begin with no digit."
              .formatted(name));
    }
  }
}
