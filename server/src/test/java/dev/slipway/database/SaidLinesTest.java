package dev.slipway.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Secret;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SaidLinesTest {
  private final SaidLines said = new SaidLines();

  @Test
  void theFirstLinesAndTheLastAreKept() {
    StringBuilder all = new StringBuilder();
    for (int i = 1; i <= 1000; i++) {
      all.append("line ").append(i).append('\n');
    }

    said.read(stream(all + "the end"));

    assertThat(said.masked(List.of()))
        .hasSize(12)
        .startsWith("line 1", "line 2")
        .endsWith("line 1000", "the end");
  }

  @Test
  void aLineThatDoesNotEndIsKeptInPart() {
    said.read(
        new InputStream() {
          private long left = 512L << 20;

          @Override
          public int read() {
            return left-- > 0 ? 'a' : -1;
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            left -= length;
            return left > 0 ? length : -1;
          }
        });

    assertThat(said.masked(List.of())).singleElement().asString().hasSizeLessThan(600);
  }

  @Test
  void whatIsSecretIsHiddenAlsoWhereALineIsCut() {
    said.read(stream("x".repeat(495) + "pass-of-us and more\n"));

    assertThat(said.masked(List.of(new Secret("pass-of-us"))))
        .singleElement()
        .asString()
        .contains("***")
        .doesNotContain("pass");
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
