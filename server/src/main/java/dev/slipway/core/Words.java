package dev.slipway.core;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Words of a command that name variables: {@code $NAME}, <code>${NAME}</code> and <code>
 * ${NAME:-default}</code>, where the default may name others; {@code $$} is a dollar sign. The
 * values come in when a program is started, as parts of words: no shell reads them.
 *
 * <p>A word that is {@code $NAME} and nothing else becomes as many words as its value holds, none
 * included, as a shell does outside of quotes. <code>${NAME}</code> is always one word.
 */
public final class Words {
  /** The name of a variable, as a pattern. */
  public static final String NAME = "[A-Za-z_][A-Za-z0-9_]*";

  /** What Linux takes as one argument. */
  private static final int MAX_WORD_CHARS = 128 << 10;

  private static final Pattern WHOLE = Pattern.compile("\\$(" + NAME + ")");
  private static final Pattern PLAIN = Pattern.compile("\\$(" + NAME + "|\\$)");
  private static final Pattern BRACED = Pattern.compile("\\$\\{(" + NAME + ")(:-|\\})");

  private Words() {}

  /** A word that stands for the given text and nothing else. */
  public static String literal(String text) {
    return text.replace("$", "$$");
  }

  /**
   * The words that a program gets.
   *
   * @throws AppFailure {@code START_FAILED} where one becomes longer than a program may be given
   */
  public static List<String> expand(List<String> words, Map<String, String> env) {
    List<String> all = words.stream().flatMap(word -> split(word, env)).toList();
    return all.isEmpty() ? List.of("") : all; // a program without a name, which is not found
  }

  /** The text that one word becomes, as the value of a variable for example. */
  public static String expand(String word, Map<String, String> env) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < word.length()) {
      at = word.charAt(at) == '$' ? expandOne(word, at, env, text) : copyOne(word, at, text);
      if (text.length() > MAX_WORD_CHARS) {
        throw new AppFailure(
            FailureCode.START_FAILED,
            "The values of the variables make an argument of a command longer than the %d characters that a program may be given."
                .formatted(MAX_WORD_CHARS));
      }
    }
    return text.toString();
  }

  private static Stream<String> split(String word, Map<String, String> env) {
    Matcher whole = WHOLE.matcher(word);
    if (!whole.matches()) {
      return Stream.of(expand(word, env));
    }
    return Pattern.compile("\\s+")
        .splitAsStream(Optional.ofNullable(env.get(whole.group(1))).orElse("").strip())
        .filter(part -> !part.isEmpty());
  }

  private static int copyOne(String word, int at, StringBuilder text) {
    text.append(word.charAt(at));
    return at + 1;
  }

  private static int expandOne(String word, int at, Map<String, String> env, StringBuilder text) {
    Matcher braced = BRACED.matcher(word).region(at, word.length());
    if (braced.lookingAt()) {
      String value = Optional.ofNullable(env.get(braced.group(1))).orElse("");
      int end = braced.group(2).equals("}") ? braced.end() - 1 : closing(word, braced.end());
      boolean absent = value.isEmpty() && end > braced.end();
      text.append(absent ? expand(word.substring(braced.end(), end), env) : value);
      return end + 1;
    }
    Matcher plain = PLAIN.matcher(word).region(at, word.length());
    if (plain.lookingAt()) {
      String name = plain.group(1);
      text.append(name.equals("$") ? "$" : Optional.ofNullable(env.get(name)).orElse(""));
      return plain.end();
    }
    return copyOne(word, at, text);
  }

  /** Where the brace closes that was opened before {@code from}. */
  private static int closing(String word, int from) {
    int open = 1;
    for (int at = from; at < word.length(); at++) {
      char c = word.charAt(at);
      if (c == '$' && word.startsWith("${", at)) {
        open++;
      } else if (c == '}' && --open == 0) {
        return at;
      }
    }
    return word.length();
  }
}
