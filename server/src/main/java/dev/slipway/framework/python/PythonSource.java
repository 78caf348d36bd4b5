package dev.slipway.framework.python;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements of a module, without comments and with strings taken out, so that neither can be
 * mistaken for code. Nothing is run.
 */
final class PythonSource {
  private static final Pattern STRING = Pattern.compile("(?i)(?:[rbfut]{0,2})(\"\"\"|'''|\"|')");
  private static final int MAX_STRINGS = 1000;
  private static final int MAX_LINE_CHARS = 2000;

  private final String text;
  private final List<Line> lines = new ArrayList<>();
  private final StringBuilder code = new StringBuilder();
  private List<String> strings = new ArrayList<>();
  private int brackets;
  private int found;

  /**
   * A logical line.
   *
   * @param indent columns before it
   * @param code with each string as its number in quotes
   */
  record Line(int indent, String code, List<String> strings) {
    Line {
      strings = List.copyOf(strings);
    }
  }

  private PythonSource(String text) {
    this.text = text;
  }

  static List<Line> lines(String text) {
    return new PythonSource(text).read();
  }

  private List<Line> read() {
    Matcher string = STRING.matcher(text);
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean word =
          !code.isEmpty() && Character.isJavaIdentifierPart(code.charAt(code.length() - 1));
      if (!(word && Character.isLetter(c)) && string.region(at, text.length()).lookingAt()) {
        at = string(string.end(), string.group(1), string.group().toLowerCase(Locale.ROOT));
      } else if (c == '#') {
        at = end(at, '\n');
      } else if (c == '\\' && at + 1 < text.length() && text.charAt(at + 1) == '\n') {
        code.append(' ');
        at += 2;
      } else if (c == '\n' && brackets == 0) {
        endLine();
        at++;
      } else {
        plain(c);
        at++;
      }
    }
    endLine();
    return lines;
  }

  private void plain(char c) {
    if (c == '(' || c == '[' || c == '{') {
      brackets++;
    } else if (c == ')' || c == ']' || c == '}') {
      brackets = Math.max(0, brackets - 1);
    }
    code.append(c == '\n' || c == '\r' ? ' ' : c);
  }

  /**
   * @param from behind the opening quotes
   */
  private int string(int from, String quotes, String opening) {
    int at = from;
    while (at < text.length() && !text.startsWith(quotes, at)) {
      if (quotes.length() == 1 && text.charAt(at) == '\n') {
        break; // never closed: no program, and no reason to take the rest for a string
      }
      at += text.charAt(at) == '\\' && !opening.contains("r") ? 2 : 1;
    }
    int end = Math.min(at, text.length());
    code.append('"').append(strings.size()).append('"');
    strings.add(found++ < MAX_STRINGS ? text.substring(from, end) : "");
    return Math.min(text.length(), text.startsWith(quotes, end) ? end + quotes.length() : end);
  }

  /** Patterns that look for what may stand between spaces must not take ages. */
  private static String shortened(String line) {
    String plain = line.strip().replaceAll("\\s+", " ");
    return plain.substring(0, Math.min(plain.length(), MAX_LINE_CHARS));
  }

  private void endLine() {
    String all = code.toString();
    String stripped = all.stripLeading();
    if (!stripped.isBlank()) {
      int indent = all.length() - stripped.length();
      lines.add(new Line(indent, shortened(stripped), strings));
    }
    code.setLength(0);
    strings = new ArrayList<>();
  }

  private int end(int from, char c) {
    int end = text.indexOf(c, from);
    return end < 0 ? text.length() : end;
  }
}
