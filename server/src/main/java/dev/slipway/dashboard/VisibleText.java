package dev.slipway.dashboard;

/**
 * Text from strangers as it may stand in a page: without what no eye sees but what changes how the
 * rest is read, such as terminal codes or the characters that turn the direction of writing.
 */
final class VisibleText {
  private static final int REPLACEMENT = 0xFFFD;
  private static final String CUT = "\n… (cut)";

  private VisibleText() {}

  /** The same text, with a visible character in place of each such one. */
  static String of(String text) {
    return of(text, Integer.MAX_VALUE);
  }

  /**
   * The beginning of that.
   *
   * @param maxBytes that it has in a page at most
   */
  static String of(String text, int maxBytes) {
    StringBuilder visible = new StringBuilder();
    int bytes = 0;
    for (int character : text.replace("\r\n", "\n").codePoints().toArray()) {
      int shown = isVisible(character) ? character : REPLACEMENT;
      bytes += bytes(shown);
      if (bytes > maxBytes) {
        return visible.append(CUT).toString();
      }
      visible.appendCodePoint(shown);
    }
    return visible.toString();
  }

  /** With the markup that stands for it. */
  private static int bytes(int character) {
    return switch (character) {
      case '&', '<', '>' -> 5;
      default -> character < 0x80 ? 1 : 4;
    };
  }

  private static boolean isVisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL -> character == '\n' || character == '\t';
      case Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
