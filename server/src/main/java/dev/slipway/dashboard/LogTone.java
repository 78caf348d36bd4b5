package dev.slipway.dashboard;

import dev.slipway.runlog.LogLevel;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How a line of a log is coloured: by its level, and where that says nothing, as of all that a
 * build prints, by its words. The script of the pages is handed the same two expressions; both
 * languages read them alike, case ignored.
 */
public final class LogTone {
  /** A line that begins with such a word, an exception by its name, what npm and compilers say. */
  public static final String ERROR =
      "^[^\\w]*(?:error|err!|fatal|failed|failure|panic|traceback)(?![\\w.\\/-])"
          + "|\\bnpm err(?:!|or\\b)"
          + "|(?:error|exception|fatal|panicked)(?:\\[[\\w.-]+\\]| \\w*\\d+)?:(?:\\s|$)";

  public static final String WARNING = "\\b(?:warn|warning|deprecated)(?![\\w.\\/-])";

  private static final Pattern IS_ERROR = ignoringCase(ERROR);
  private static final Pattern IS_WARNING = ignoringCase(WARNING);
  private static final String COMMAND = "$ ";

  private LogTone() {}

  /** A class of the styles; empty for a plain line. */
  static String of(LogLevel level, String text) {
    return switch (level) {
      case INFO -> ofText(text);
      case SUCCESS, WARNING, ERROR -> level.name().toLowerCase(Locale.ROOT);
    };
  }

  static boolean isError(LogLevel level, String text) {
    return of(level, text).equals("error");
  }

  private static String ofText(String text) {
    if (text.startsWith(COMMAND)) {
      return "cmd";
    }
    if (IS_ERROR.matcher(text).find()) {
      return "error";
    }
    return IS_WARNING.matcher(text).find() ? "warning" : "";
  }

  private static Pattern ignoringCase(String expression) {
    return Pattern.compile(expression, Pattern.CASE_INSENSITIVE);
  }
}
