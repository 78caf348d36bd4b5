package dev.slipway.dashboard;

import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a {@code .env} file: {@code NAME=value} a line, {@code export} before it or not, comments
 * behind {@code #}. Values in quotes may have several lines; within double quotes there are
 * escapes. A {@code $} stands for itself. A name that is there twice has its last value.
 */
final class DotEnv {
  private static final String EXPORT = "export";
  private static final String QUOTES = "\"'`";

  private final String text;
  private final Map<String, String> values = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private int at;
  private int line = 1;

  private DotEnv(String text) {
    this.text = text;
  }

  /**
   * @throws RequestException {@code INVALID_REQUEST} with each line that cannot be read; what
   *     stands there is not quoted, as it may be secret
   */
  static Map<String, String> read(String pasted) {
    DotEnv file =
        new DotEnv(Form.lines(pasted.startsWith("\uFEFF") ? pasted.substring(1) : pasted));
    while (file.at < file.text.length()) {
      file.entry();
    }
    if (!file.faults.isEmpty()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "The .env file: %s.".formatted(String.join("; ", file.faults)));
    }
    return file.values;
  }

  private void entry() {
    String written = text.substring(at, endOfLine());
    if (written.isBlank() || written.strip().startsWith("#")) {
      nextLine();
      return;
    }
    int equals = written.indexOf('=');
    if (equals < 0) {
      fault("has no =; write NAME=value");
      nextLine();
      return;
    }
    String name = name(written.substring(0, equals));
    if (!EnvVars.NAME.matcher(name).matches()) {
      fault("does not begin with a name of letters, digits and underscores");
      nextLine();
      return;
    }
    at += equals + 1;
    skipBlanks();
    if (at < text.length() && QUOTES.indexOf(text.charAt(at)) >= 0) {
      quoted(name);
    } else {
      values.put(name, plain(text.substring(at, endOfLine())));
      nextLine();
    }
  }

  private static String name(String written) {
    String name = written.strip();
    boolean exported =
        name.startsWith(EXPORT)
            && name.length() > EXPORT.length()
            && Character.isWhitespace(name.charAt(EXPORT.length()));
    return exported ? name.substring(EXPORT.length()).strip() : name;
  }

  /** Without a comment: one begins at the value's start, or behind a blank. */
  private static String plain(String written) {
    for (int i = 0; i < written.length(); i++) {
      if (written.charAt(i) == '#' && (i == 0 || Character.isWhitespace(written.charAt(i - 1)))) {
        return written.substring(0, i).strip();
      }
    }
    return written.strip();
  }

  private void quoted(String name) {
    char quote = text.charAt(at);
    StringBuilder value = new StringBuilder();
    int i = at + 1;
    while (i < text.length() && text.charAt(i) != quote) {
      char next = text.charAt(i);
      if (quote == '"' && next == '\\' && i + 1 < text.length()) {
        i++;
        value.append(unescaped(text.charAt(i)));
      } else {
        value.append(next);
      }
      i++;
    }
    if (i >= text.length()) {
      fault("begins a quote that is not closed");
      at = text.length();
      return;
    }
    line += (int) text.substring(at, i).chars().filter(it -> it == '\n').count();
    at = i + 1;
    String rest = text.substring(at, endOfLine()).strip();
    if (!rest.isEmpty() && !rest.startsWith("#")) {
      faults.add("line %d has more behind the closing quote".formatted(line));
    } else {
      values.put(name, value.toString());
    }
    nextLine();
  }

  /** A backslash before any other character stays: paths of Windows have them. */
  private static String unescaped(char escaped) {
    return switch (escaped) {
      case 'n' -> "\n";
      case 'r' -> "\r";
      case 't' -> "\t";
      case '"', '\\', '$' -> String.valueOf(escaped);
      default -> "\\" + escaped;
    };
  }

  private void fault(String what) {
    faults.add("line %d %s".formatted(line, what));
  }

  private void skipBlanks() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }

  private int endOfLine() {
    int end = text.indexOf('\n', at);
    return end < 0 ? text.length() : end;
  }

  private void nextLine() {
    at = Math.min(endOfLine() + 1, text.length());
    line++;
  }
}
