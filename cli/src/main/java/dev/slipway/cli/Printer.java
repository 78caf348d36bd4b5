package dev.slipway.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Prints what a command found out: as lines for a person, or as one JSON document for a script. */
final class Printer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String GAP = "  ";

  private final PrintWriter out;
  private final boolean json;

  Printer(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /**
   * @param sentence for a person
   * @param fields for a script
   */
  void said(String sentence, Map<String, ?> fields) {
    if (json) {
      document(fields);
    } else {
      out.println(sentence);
      out.flush();
    }
  }

  /** A name and a value a line; keys with underscores, as the API writes them. */
  void fields(String introduction, Map<String, String> fields) {
    if (json) {
      document(fields);
      return;
    }
    out.println(introduction);
    int width = fields.keySet().stream().mapToInt(String::length).max().orElse(0);
    fields.forEach(
        (name, value) -> out.println(GAP + padded(name.replace('_', ' '), width) + GAP + value));
    out.flush();
  }

  /** A table with a head, or a list of objects; an absent value is {@code -} or left out. */
  void table(List<String> names, List<List<Optional<?>>> rows) {
    if (json) {
      document(rows.stream().map(row -> object(names, row)).toList());
      return;
    }
    List<List<String>> lines = rows.stream().map(Printer::cells).toList();
    int[] widths = new int[names.size()];
    for (int column = 0; column < widths.length; column++) {
      int at = column;
      widths[at] =
          Math.max(
              names.get(at).length(),
              lines.stream().mapToInt(line -> line.get(at).length()).max().orElse(0));
    }
    line(names.stream().map(name -> name.replace('_', ' ')).toList(), widths);
    lines.forEach(line -> line(line, widths));
    out.flush();
  }

  /** To the second: a person reads it. */
  static Optional<?> time(Instant time) {
    return Optional.of(time.truncatedTo(ChronoUnit.SECONDS));
  }

  private void line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      line.append(padded(cells.get(column), widths[column])).append(GAP);
    }
    out.println(line.toString().stripTrailing());
  }

  private static List<String> cells(List<Optional<?>> row) {
    return row.stream()
        .map(value -> value.map(it -> it instanceof List<?> many ? joined(many) : it.toString()))
        .map(text -> text.orElse("-"))
        .toList();
  }

  private static String joined(List<?> values) {
    return String.join(", ", values.stream().map(Object::toString).toList());
  }

  private static Map<String, Object> object(List<String> names, List<Optional<?>> row) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int column = 0; column < names.size(); column++) {
      String name = names.get(column);
      row.get(column)
          .ifPresent(
              value -> object.put(name, value instanceof Instant ? value.toString() : value));
    }
    return object;
  }

  private void document(Object value) {
    try {
      out.println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(value));
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer cannot be written as JSON", e);
    }
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
