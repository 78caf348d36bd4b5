package dev.slipway.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {
  private static final Map<String, String> ENV =
      Map.of(
          "PORT", "4000", "EMPTY", "", "ARGS", " --a  --b ", "TRICK", "$(id); ${PORT} `x` $PORT");

  @ParameterizedTest
  @CsvSource({
    "a, a",
    "$PORT, 4000",
    "${PORT}, 4000",
    ":$PORT/, :4000/",
    "$PORTS, ''",
    "${PORT:-1}, 4000",
    "${NONE:-1}, 1",
    "${EMPTY:-1}, 1",
    "${EMPTY:-}, ''",
    "${NONE:-${EMPTY:-a${PORT}b}}c, a4000bc",
    "$$PORT, $PORT",
    "a$, a$",
    "$1, $1",
    "${, ${",
    "${NONE:-x, x",
    "$TRICK, $(id); ${PORT} `x` $PORT",
  })
  void putsInTheValuesOfVariables(String word, String text) {
    assertThat(Words.expand(word, ENV)).isEqualTo(text);
  }

  @Test
  void splitsAVariableAloneAndNoOther() {
    assertThat(Words.expand(List.of("x", "$ARGS", "$EMPTY", "$NONE", "${ARGS}", "${EMPTY}"), ENV))
        .containsExactly("x", "--a", "--b", " --a  --b ", "");
  }

  @Test
  void literalTextStaysAsItIs() {
    String text = "$PORT ${PORT} $$ $";

    assertThat(Words.expand(Words.literal(text), ENV)).isEqualTo(text);
    assertThat(Words.expand(List.of(Words.literal("$PORT")), ENV)).containsExactly("$PORT");
  }

  @Test
  void refusesAWordThatNoProgramCanBeGiven() {
    Map<String, String> env = Map.of("LONG", "x".repeat(64 << 10));

    assertThatThrownBy(() -> Words.expand("$LONG$LONG$LONG", env))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("131072 characters");
  }
}
