package dev.slipway.edge;

import dev.slipway.core.InstanceId;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the server asks of all edges at once, as a notification of the store carries it.
 *
 * @param id by which the answers are known
 * @param atLeast only of {@link Kind#CLOSE}
 * @param instances at most {@value #MOST}
 */
record EdgeQuestion(String id, Kind kind, Duration atLeast, List<InstanceId> instances) {
  /** That many fit into the 8,000 bytes of a notification. */
  static final int MOST = 200;

  enum Kind {
    /** Since when each has had no request. */
    IDLE,
    /** {@link Traffic#closeIdle}. */
    CLOSE,
    /** {@link Traffic#reopen}; nothing is answered. */
    REOPEN
  }

  String text() {
    StringBuilder text = new StringBuilder(id);
    text.append(' ').append(kind.name().toLowerCase(Locale.ROOT));
    text.append(' ').append(atLeast.toMillis());
    instances.forEach(instance -> text.append(' ').append(instance.value()));
    return text.toString();
  }

  /** Empty where a server of another version asks something that this one does not know. */
  static Optional<EdgeQuestion> parse(String text) {
    List<String> words = List.of(text.split(" "));
    try {
      return Optional.of(
          new EdgeQuestion(
              words.get(0),
              Kind.valueOf(words.get(1).toUpperCase(Locale.ROOT)),
              Duration.ofMillis(Long.parseLong(words.get(2))),
              words.stream().skip(3).map(InstanceId::new).toList()));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /**
   * What one edge answers.
   *
   * @param numbers of {@link Kind#IDLE} milliseconds for each instance; of {@link Kind#CLOSE} 1
   *     where they are closed, else 0
   */
  record Answer(String question, String edge, List<Long> numbers) {
    String text() {
      StringBuilder text = new StringBuilder(question).append(' ').append(edge);
      numbers.forEach(number -> text.append(' ').append(number));
      return text.toString();
    }

    static Optional<Answer> parse(String text) {
      String[] words = text.split(" ");
      try {
        return Optional.of(
            new Answer(
                words[0], words[1], Arrays.stream(words).skip(2).map(Long::valueOf).toList()));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        return Optional.empty();
      }
    }
  }
}
