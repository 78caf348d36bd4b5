package dev.slipway.framework;

import dev.slipway.core.Words;
import dev.slipway.framework.LineScanner.Word;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One word of a line, while it is read. */
final class WordBuilder {
  private static final int MAX_NESTED = 4;
  private static final Pattern VARIABLE = Pattern.compile("\\$(" + Words.NAME + ")");
  private static final Pattern BRACED = Pattern.compile("\\$\\{(" + Words.NAME + ")(:?[-=]|\\})");
  private static final Pattern COMMAND = Pattern.compile("\\$\\(");

  /** What a default may hold besides variables. */
  private static final Pattern DEFAULT = Pattern.compile("[A-Za-z0-9_.,:/@%+=-]++");

  private final StringBuilder template = new StringBuilder();
  private final StringBuilder text = new StringBuilder();

  /** A word is there although it is empty. */
  private boolean quoted;

  /** The word is one variable so far, outside of quotes. */
  private Optional<String> alone = Optional.empty();

  boolean isEmpty() {
    return template.isEmpty() && !quoted;
  }

  /** Whether it is an option with a value, as far as it has been read. */
  boolean isOption() {
    return text.toString().matches("--?[A-Za-z][A-Za-z0-9-]*=.*");
  }

  void plain(char c) {
    alone = Optional.empty();
    template.append(Words.literal(String.valueOf(c)));
    text.append(c);
  }

  void quoted(String literal) {
    quoted = true;
    alone = Optional.empty();
    template.append(Words.literal(literal));
    text.append(literal);
  }

  /**
   * Takes the variable that begins there, or a dollar sign that means itself.
   *
   * @return where the line goes on
   */
  int variable(String line, int at, boolean inQuotes) throws ShellOnlyException {
    Matcher plain = VARIABLE.matcher(line).region(at, line.length());
    boolean first = isEmpty();
    int end;
    if (plain.lookingAt()) {
      end = plain.end();
      template.append("${").append(plain.group(1)).append('}');
    } else if (line.startsWith("${", at)) {
      StringBuilder variable = new StringBuilder();
      end = braced(line, at, variable, 0);
      template.append(variable);
    } else {
      refuseSpecial(line, at);
      quoted("$");
      return at + 1;
    }
    text.append(line, at, end);
    alone = first && !inQuotes ? alone(template.toString()) : Optional.empty();
    return end;
  }

  /** The word; empty where nothing was written. */
  Optional<Word> end() {
    return isEmpty()
        ? Optional.empty()
        : Optional.of(new Word(alone.orElse(template.toString()), text.toString()));
  }

  private static Optional<String> alone(String template) {
    Matcher matcher = Pattern.compile("\\$\\{(" + Words.NAME + ")(:-)?\\}").matcher(template);
    return matcher.matches() ? Optional.of("$" + matcher.group(1)) : Optional.empty();
  }

  private static int braced(String line, int at, StringBuilder variable, int depth)
      throws ShellOnlyException {
    Matcher matcher = BRACED.matcher(line).region(at, line.length());
    if (!matcher.lookingAt() || depth == MAX_NESTED) {
      throw ShellOnlyException.because("A variable that is more than ${NAME} or ${NAME:-default}");
    }
    variable.append("${").append(matcher.group(1));
    if (matcher.group(2).equals("}")) {
      variable.append('}');
      return matcher.end();
    }
    variable.append(":-");
    int end = defaultValue(line, matcher.end(), variable, depth);
    variable.append('}');
    return end;
  }

  private static int defaultValue(String line, int from, StringBuilder variable, int depth)
      throws ShellOnlyException {
    int at = from;
    while (at < line.length() && line.charAt(at) != '}') {
      Matcher plain = VARIABLE.matcher(line).region(at, line.length());
      Matcher text = DEFAULT.matcher(line).region(at, line.length());
      if (plain.lookingAt()) {
        variable.append("${").append(plain.group(1)).append('}');
        at = plain.end();
      } else if (line.startsWith("${", at)) {
        at = braced(line, at, variable, depth + 1);
      } else if (text.lookingAt()) {
        variable.append(text.group());
        at = text.end();
      } else {
        throw ShellOnlyException.because(
            "The default of a variable with \"%c\" in it".formatted(line.charAt(at)));
      }
    }
    if (at == line.length()) {
      throw ShellOnlyException.wrong("A variable (${) is not closed.");
    }
    return at + 1;
  }

  private static void refuseSpecial(String line, int at) throws ShellOnlyException {
    if (COMMAND.matcher(line).region(at, line.length()).lookingAt()) {
      throw ShellOnlyException.because("The output of a command in $(...)");
    }
    if (at + 1 < line.length() && "@*#?$!0123456789-'\"".indexOf(line.charAt(at + 1)) >= 0) {
      throw ShellOnlyException.because("$" + line.charAt(at + 1));
    }
  }
}
