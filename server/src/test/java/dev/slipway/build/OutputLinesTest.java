package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputLinesTest {
  @Test
  void splitsAtLineFeedsAndKeepsALastLineWithoutOne() throws IOException {
    assertThat(lines("one\n\ntwo\r\nthree")).containsExactly("one", "", "two", "three");
  }

  @Test
  void takesColoursAndControlCharactersOut() throws IOException {
    assertThat(lines("\u001B[1;31mred\u001B[0m \u001B]0;title\u0007x\u0000y\tz\u001B[2K\n"))
        .containsExactly("red xy\tz");
  }

  @Test
  void keepsTheLastOfALineThatIsDrawnAgain() throws IOException {
    assertThat(lines("10 %\r50 %\r100 %\ndone\n")).containsExactly("100 %", "done");
  }

  @Test
  void cutsLinesThatAreTooLong() throws IOException {
    List<String> lines = lines("x".repeat(1 << 20) + "\nnext\n");

    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).hasSizeLessThan(17_000).endsWith("… (cut)");
    assertThat(lines.get(1)).isEqualTo("next");
  }

  @Test
  void replacesBytesThatAreNoText() throws IOException {
    List<String> lines = new ArrayList<>();
    OutputLines.read(new ByteArrayInputStream(new byte[] {'a', (byte) 0xff, '\n'}), lines::add);

    assertThat(lines).containsExactly("a\uFFFD");
  }

  private static List<String> lines(String output) throws IOException {
    List<String> lines = new ArrayList<>();
    OutputLines.read(new ByteArrayInputStream(output.getBytes(StandardCharsets.UTF_8)), lines::add);
    return lines;
  }
}
