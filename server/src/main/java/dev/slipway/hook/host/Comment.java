package dev.slipway.hook.host;

/**
 * What is said below a pull request.
 *
 * @param mark of the project: readers do not see it, and by it one is found again whose making the
 *     host did not answer, or that an earlier preview of the pull request has left
 * @param text in Markdown
 */
public record Comment(String mark, String text) {
  String body() {
    return head() + text;
  }

  /** Not one that quotes it: that begins otherwise. */
  boolean isIn(String body) {
    return body.stripLeading().startsWith(head().strip());
  }

  private String head() {
    return "<!-- slipway %s -->\n".formatted(mark);
  }
}
