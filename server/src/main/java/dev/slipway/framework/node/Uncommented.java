package dev.slipway.framework.node;

/** Takes the comments out of a program in JavaScript or TypeScript; strings stay as they are. */
final class Uncommented {
  private final String source;
  private final StringBuilder text = new StringBuilder();
  private int at;

  private Uncommented(String source) {
    this.source = source;
  }

  static String text(String source) {
    Uncommented reader = new Uncommented(source);
    while (reader.at < source.length()) {
      reader.next();
    }
    return reader.text.toString();
  }

  private void next() {
    char c = source.charAt(at);
    if (source.startsWith("//", at)) {
      skipTo("\n", 0);
    } else if (source.startsWith("/*", at)) {
      skipTo("*/", 2);
      text.append(' ');
    } else if (c == '\'' || c == '"' || c == '`') {
      string(c);
    } else {
      text.append(c);
      at++;
    }
  }

  private void skipTo(String end, int more) {
    int found = source.indexOf(end, at + 2);
    at = found < 0 ? source.length() : found + more;
  }

  private void string(char quote) {
    int end = at + 1;
    while (end < source.length() && source.charAt(end) != quote) {
      if (source.charAt(end) == '\n' && quote != '`') {
        break; // no string after all, an apostrophe in a regular expression for example
      }
      end += source.charAt(end) == '\\' ? 2 : 1;
    }
    end = Math.min(end + 1, source.length());
    text.append(source, at, end);
    at = end;
  }
}
