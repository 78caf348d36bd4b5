package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          text/event-stream                                     | true
          Text/Event-Stream;charset=utf-8                       | true
          text/event-stream, */*                                | true
          text/event-stream;q=0.9, application/json;q=0.8       | true
          text/*                                                | true
          application/json;q=0, */*                             | true
          text/event-stream;q=0.5, application/json             | false
          text/event-stream, application/json                   | false
          application/json                                      | false
          */*                                                   | false
          application/*, text/*;q=0.5                           | false
          text/event-stream;q=0, */*                            | false
          text/event-stream;q=0                                 | false
          text/event-stream;q=2                                 | false
          text/event-streams                                    | false
          text/html, image/*;q=0.8                              | false
          nonsense                                              | false
          ,;/                                                   | false
          """)
  void eventsAreSentToThoseWhoWantThemRatherThanJson(String header, boolean events) {
    assertThat(Accept.of(List.of(header)).prefers("text/event-stream", "application/json"))
        .isEqualTo(events);
  }

  @Test
  void withoutAHeaderNothingIsPreferred() {
    assertThat(Accept.of(List.of()).prefers("text/event-stream", "application/json")).isFalse();
  }

  @Test
  void severalHeadersAreOne() {
    assertThat(
            Accept.of(List.of("application/json;q=0.1", "text/event-stream"))
                .prefers("text/event-stream", "application/json"))
        .isTrue();
  }
}
