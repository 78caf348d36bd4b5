package dev.slipway.hook.host;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;

/**
 * A comment that is made once and changed from then on, in the way that is common to all hosts.
 *
 * @param changeMethod by which a comment is changed
 */
record IssueComments(HostConnection host, String changeMethod) {
  private static final int PAGE = 50;
  private static final int MAX_PAGES = 20;

  /**
   * @param folder where comments are made
   * @param changeFolder below which an earlier one is
   */
  String say(String folder, String changeFolder, Optional<String> earlier, Comment comment)
      throws InterruptedException {
    Map<String, String> body = Map.of("body", comment.body());
    if (earlier.isPresent()) {
      HostConnection.Answer changed =
          host.send(changeMethod, changeFolder + "/" + earlier.get(), body);
      if (changed.isGood()) {
        return earlier.get();
      }
      if (!changed.isGone()) {
        throw changed.refused();
      }
    }
    Optional<String> made = find(folder, comment);
    // One that may not be changed is not ours: somebody has copied the mark.
    if (made.isPresent()
        && host.send(changeMethod, changeFolder + "/" + made.get(), body).isGood()) {
      return made.get();
    }
    HostConnection.Answer answer = host.send("POST", folder, body);
    if (!answer.isGood()) {
      throw answer.refused();
    }
    return answer.id();
  }

  /** To make one is not idempotent: a host that was too slow to say so may have made it. */
  private Optional<String> find(String folder, Comment comment) throws InterruptedException {
    for (int page = 1; page <= MAX_PAGES; page++) {
      HostConnection.Answer answer =
          host.send("GET", "%s?per_page=%d&page=%d".formatted(folder, PAGE, page), Map.of());
      if (!answer.isGood()) {
        throw answer.refused();
      }
      JsonNode found = answer.json();
      for (JsonNode it : found) {
        if (comment.isIn(it.path("body").asText())) {
          return Optional.of(it.path("id").asText());
        }
      }
      if (found.size() != PAGE) { // the last page, or a host that answers all at once
        return Optional.empty();
      }
    }
    return Optional.empty();
  }
}
