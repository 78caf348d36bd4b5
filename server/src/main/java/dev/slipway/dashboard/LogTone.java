package dev.slipway.dashboard;

import dev.slipway.runlog.LogLevel;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a line of a log is coloured: by its level, and where that says nothing, as of all that a
 * build prints, by its words. The script of the pages is handed the same two expressions; both
 * languages read them alike, case ignored, and look at the begin of a line alone: what a program
 * prints must not keep them busy.
 */
public final class LogTone {
  /** A line that begins with such a word, an exception by its name, what npm and compilers say. */
  public static final String ERROR =
      "^[^\\w]*(?:error|err!|fatal|failed|failure|panic|traceback)(?![\\w.\\/-])"
          + "|\\bnpm err(?:!|or\\b)"
          + "|(?:error|exception|fatal|panicked)(?:\\[[\\w.-]{1,80}\\]| [A-Za-z]{0,8}\\d{1,8})?:(?:\\s|$)";

  public static final String WARNING = "\\b(?:warn|warning|deprecated)(?![\\w.\\/-])";

  /** Of a line so many characters are looked at. */
  public static final int HEAD = 1_000;

  private static final Pattern IS_ERROR = ignoringCase(ERROR);
  private static final Pattern IS_WARNING = ignoringCase(WARNING);
  private static final Pattern IS_COMMAND = Pattern.compile("\\$ ");

  private LogTone() {}

  /** A class of the styles; empty for a plain line. */
  static String of(LogLevel level, CharSequence text) {
    return switch (level) {
      case INFO -> ofText(text);
      case SUCCESS, WARNING, ERROR -> level.name().toLowerCase(Locale.ROOT);
    };
  }

  static boolean isError(LogLevel level, CharSequence text) {
    return of(level, text).equals("error");
  }

  private static String ofText(CharSequence text) {
    if (head(IS_COMMAND, text).lookingAt()) {
      return "cmd";
    }
    if (head(IS_ERROR, text).find()) {
      return "error";
    }
    return head(IS_WARNING, text).find() ? "warning" : "";
  }

  private static Matcher head(Pattern pattern, CharSequence text) {
    return pattern.matcher(text).region(0, Math.min(HEAD, text.length()));
  }

  private static Pattern ignoringCase(String expression) {
    return Pattern.compile(expression, Pattern.CASE_INSENSITIVE);
  }
}
