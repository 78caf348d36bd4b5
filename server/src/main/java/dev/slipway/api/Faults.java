package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.Nearest;
import dev.slipway.core.RequestException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Everything that is wrong with one request, each fault with its place: one message tells all. */
final class Faults {
  private static final int MOST_TOLD = 50;
  private static final int MOST_CHARACTERS = 300;

  private final List<String> sentences = new ArrayList<>();
  private int untold;

  /**
   * @param place a parameter, a header, or the path of a field such as {@code env_vars.PORT}
   * @param what completes the sentence that begins with the place
   */
  void add(String place, String what) {
    if (sentences.size() == MOST_TOLD) {
      untold++;
      return;
    }
    sentences.add(place.isEmpty() ? shortened(what) : shortened(place) + ": " + shortened(what));
  }

  /** Names an unknown field or parameter, and the known one that is spelled most alike. */
  void addUnknown(String place, String name, Collection<String> known) {
    add(
        place,
        "is not known; "
            + Nearest.to(shortened(name), known)
                .map(near -> "did you mean " + near + "?")
                .orElseGet(() ->
                    known.isEmpty()
                        ? "none is taken here"
                        : "known are " + String.join(", ", known)));
  }

  /** Where the value is not one of those that this server offers. */
  void requireOneOf(String place, String value, List<String> choices) {
    if (!choices.contains(value)) {
      add(
          place,
          "%s is not available on this server; %s"
              .formatted(
                  value,
                  choices.size() == 1
                      ? choices.getFirst() + " is"
                      : "choose one of " + String.join(", ", choices)));
    }
  }

  /**
   * @throws RequestException {@code INVALID_REQUEST} if there is any
   */
  void refuse() {
    if (!sentences.isEmpty()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          String.join("; ", sentences) + (untold > 0 ? "; and %d more".formatted(untold) : ""));
    }
  }

  List<String> sentences() {
    return List.copyOf(sentences);
  }

  private static String shortened(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "…";
  }
}
