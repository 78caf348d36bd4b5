package dev.slipway.framework;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cuts a line into commands and words, as a shell does, and refuses what it would do beyond. */
final class LineScanner {
  private static final int MAX_CHARS = 8192;
  private static final Map<Character, String> SHELL_ONLY =
      Map.of(
          '|', "A pipe (|)",
          ';', "A semicolon",
          '<', "A redirection (<)",
          '>', "A redirection (>)",
          '(', "A parenthesis",
          ')', "A parenthesis",
          '`', "A command in backticks");

  private final String line;
  private final List<List<Word>> commands = new ArrayList<>();
  private List<Word> words = new ArrayList<>();
  private WordBuilder word = new WordBuilder();
  private int at;

  /**
   * @param template as {@link Words} has it
   * @param text what was written, without quotes
   */
  record Word(String template, String text) {}

  private LineScanner(String line) {
    this.line = line;
  }

  /** The words of each command; none of the lists is empty. */
  static List<List<Word>> scan(String line) throws ShellOnlyException {
    if (line.length() > MAX_CHARS) {
      throw ShellOnlyException.wrong(
          "The command has more than %d characters. Put it into a script, and call that."
              .formatted(MAX_CHARS));
    }
    return new LineScanner(line.replaceAll("\\\\\r?\n", " ")).scan();
  }

  private List<List<Word>> scan() throws ShellOnlyException {
    while (at < line.length()) {
      char c = line.charAt(at);
      switch (c) {
        case ' ', '\t' -> space();
        case '\n', '\r' -> newline();
        case '&' -> then();
        case '\'' -> singleQuoted();
        case '"' -> doubleQuoted();
        case '\\' -> escaped();
        case '$' -> at = word.variable(line, at, false);
        case '#' -> sharp();
        default -> plain(c);
      }
    }
    newline();
    return commands;
  }

  private void space() {
    word.end().ifPresent(words::add);
    word = new WordBuilder();
    at++;
  }

  /** Ends a command: of several lines each is run if the one before succeeded. */
  private void newline() {
    space();
    if (!words.isEmpty()) {
      commands.add(words);
      words = new ArrayList<>();
    }
  }

  private void then() throws ShellOnlyException {
    if (!line.startsWith("&&", at)) {
      throw ShellOnlyException.because("A program in the background (&)");
    }
    at++;
    newline();
    boolean last = line.substring(at).isBlank();
    if (commands.isEmpty() || last) {
      throw ShellOnlyException.wrong(
          "There is no command %s &&.".formatted(last ? "after" : "before"));
    }
  }

  private void singleQuoted() throws ShellOnlyException {
    int end = line.indexOf('\'', at + 1);
    if (end < 0) {
      throw open('\'');
    }
    word.quoted(line.substring(at + 1, end));
    at = end + 1;
  }

  private void doubleQuoted() throws ShellOnlyException {
    word.quoted("");
    at++;
    while (at < line.length() && line.charAt(at) != '"') {
      char c = line.charAt(at);
      if (c == '$') {
        at = word.variable(line, at, true);
      } else if (c == '`') {
        throw ShellOnlyException.because("A command in backticks");
      } else if (c == '\\'
          && at + 1 < line.length()
          && "\"\\$`".indexOf(line.charAt(at + 1)) >= 0) {
        word.quoted(line.substring(at + 1, at + 2));
        at += 2;
      } else {
        word.quoted(String.valueOf(c));
        at++;
      }
    }
    if (at == line.length()) {
      throw open('"');
    }
    at++;
  }

  private static ShellOnlyException open(char quote) {
    return ShellOnlyException.wrong("A quote (%s) is not closed.".formatted(quote));
  }

  private void escaped() throws ShellOnlyException {
    if (at + 1 == line.length()) {
      throw ShellOnlyException.wrong("The command ends in a backslash.");
    }
    word.quoted(line.substring(at + 1, at + 2));
    at += 2;
  }

  /** A comment, unless it is within a word. */
  private void sharp() {
    if (!word.isEmpty()) {
      word.plain('#');
      at++;
      return;
    }
    while (at < line.length() && line.charAt(at) != '\n') {
      at++;
    }
  }

  private void plain(char c) throws ShellOnlyException {
    if (line.startsWith("||", at)) {
      throw ShellOnlyException.because("An alternative (||)");
    }
    String operator = SHELL_ONLY.get(c);
    if (operator != null) {
      throw ShellOnlyException.because(operator);
    }
    if (c < ' ') {
      throw ShellOnlyException.wrong("The command holds a control character.");
    }
    // --forwarded-allow-ips=* is no name of a file, for a shell neither.
    if ((c == '*' || c == '?') && !word.isOption()) {
      throw ShellOnlyException.because("A pattern of file names (%s)".formatted(c));
    }
    if (c == '~' && word.isEmpty()) {
      throw ShellOnlyException.because("The home directory (~)");
    }
    word.plain(c);
    at++;
  }
}
