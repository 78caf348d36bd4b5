package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
  @ParameterizedTest
  @CsvSource({
    "bytes=0-, 0, 10",
    "bytes=0-0, 0, 1",
    "bytes=2-5, 2, 4",
    "bytes=2-500, 2, 8",
    "bytes=9-, 9, 1",
    "bytes=-3, 7, 3",
    "bytes=-30, 0, 10",
    "Bytes = 1 - 2, 1, 2",
    "bytes=10-, 10, 0",
    "bytes=10-12, 10, 0",
    "bytes=-0, 10, 0"
  })
  void aRangeIsCutToTheFile(String header, long from, long length) {
    assertThat(ByteRange.of(header, 10)).hasValue(new ByteRange(from, length));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=-",
        "bytes=",
        "bytes",
        "bytes=5-2",
        "bytes=0-1,3-4",
        "lines=1-2",
        "bytes=a-b",
        "bytes=0x1-2",
        "bytes=0-99999999999999999999",
        ""
      })
  void whatIsNoSingleRangeCountsAsAbsent(String header) {
    assertThat(ByteRange.of(header, 10)).isEmpty();
  }

  @Test
  void aFileWithoutBytesHasNoRange() {
    assertThat(ByteRange.of("bytes=0-", 0)).hasValue(new ByteRange(0, 0));
  }
}
