package dev.slipway.framework;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeRangeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "20",
        "v20",
        "20.x",
        "20.11",
        ">=18",
        ">= 18.0.0 <21",
        "^20.9.0",
        "~20.11",
        "18 || 20",
        "18 - 20",
        "*",
        "",
        "lts/iron",
        "<=20",
        ">=18 <=20.11.1",
        "20.11.1",
        "^12 || >=16"
      })
  void allows(String range) {
    assertThat(NodeRange.allows(range, "v20.11.1")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "18",
        "v18.2.0",
        "18.x",
        "20.10",
        ">20",
        "<20",
        ">=20.12",
        "^18.0.0",
        "~20.10",
        "12 || 14",
        "14 - 18",
        ">= 22",
        ">=18 <20",
        "<=18"
      })
  void refuses(String range) {
    assertThat(NodeRange.allows(range, "v20.11.1")).isFalse();
  }
}
