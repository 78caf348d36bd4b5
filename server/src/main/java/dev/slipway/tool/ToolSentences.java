package dev.slipway.tool;

/** What the user is told of tools. */
final class ToolSentences {
  private ToolSentences() {}

  static String name(String tool) {
    return switch (tool) {
      case "node" -> "Node";
      case "yarn" -> "Yarn";
      case "bun" -> "Bun";
      case "python" -> "Python";
      case "poetry" -> "Poetry";
      default -> tool;
    };
  }

  /**
   * @param range in the application's own words
   */
  static String unreadable(String tool, String range) {
    return "Which %s the application asks for (%s) cannot be read, so any will do. Write a version or a range, such as 22.x."
        .formatted(name(tool), range);
  }

  /**
   * @param why empty where there is no such version
   */
  static String instead(String tool, String range, String version, String why) {
    return why.isEmpty()
        ? "There is no %s %s; the application gets %s.".formatted(name(tool), range, version)
        : "%s %s could not be fetched (%s), so the application gets %s."
            .formatted(name(tool), range, why, version);
  }

  static String nothing(String tool, String range, String why) {
    return "%s could not be fetched, and this server has no other (%s). Try again later, or ask who runs this server."
        .formatted((name(tool) + " " + range).strip(), why.isEmpty() ? "no such version" : why);
  }
}
