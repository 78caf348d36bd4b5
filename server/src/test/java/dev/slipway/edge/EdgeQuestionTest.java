package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.InstanceId;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EdgeQuestionTest {
  @Test
  void aQuestionArrivesAsItWasSent() {
    var sent = question(List.of(InstanceId.next(), InstanceId.next()));

    assertThat(EdgeQuestion.parse(sent.text())).contains(sent);
  }

  @Test
  void anAnswerArrivesAsItWasSent() {
    var sent = new EdgeQuestion.Answer("q", "edg_1", List.of(0L, 12_345L));

    assertThat(EdgeQuestion.Answer.parse(sent.text())).contains(sent);
  }

  @Test
  void asManyInstancesAsItMayHoldFitIntoANotification() {
    var longest = question(Stream.generate(InstanceId::next).limit(EdgeQuestion.MOST).toList());

    assertThat(longest.text().length()).isLessThan(8_000);
  }

  @Test
  void whatAnotherVersionSaysIsNotUnderstoodAndNoFault() {
    assertThat(EdgeQuestion.parse("q dance 0 ins_1")).isEmpty();
    assertThat(EdgeQuestion.parse("q idle soon")).isEmpty();
    assertThat(EdgeQuestion.parse("")).isEmpty();
    assertThat(EdgeQuestion.Answer.parse("q")).isEmpty();
    assertThat(EdgeQuestion.Answer.parse("q edg_1 perhaps")).isEmpty();
  }

  private static EdgeQuestion question(List<InstanceId> instances) {
    return new EdgeQuestion(
        "0b5b2a56-6d0f-4b52-9d0f-0a52a56b5b2a",
        EdgeQuestion.Kind.CLOSE,
        Duration.ofMinutes(5),
        instances);
  }
}
