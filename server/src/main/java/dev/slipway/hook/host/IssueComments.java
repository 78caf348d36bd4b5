package dev.slipway.hook.host;

import java.util.Map;
import java.util.Optional;

/**
 * A comment that is made once and changed from then on, in the way that is common to all hosts.
 *
 * @param changeMethod by which a comment is changed
 */
record IssueComments(HostConnection host, String changeMethod) {
  /**
   * @param folder where comments are made
   * @param changeFolder below which an earlier one is
   */
  String say(String folder, String changeFolder, Optional<String> earlier, String text)
      throws InterruptedException {
    Map<String, String> body = Map.of("body", text);
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
    HostConnection.Answer made = host.send("POST", folder, body);
    if (!made.isGood()) {
      throw made.refused();
    }
    return made.id();
  }
}
