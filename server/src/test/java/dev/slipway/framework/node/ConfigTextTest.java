package dev.slipway.framework.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "build: { outDir: 'out' } | out",
        "build: { outDir: \"../out\", } | ../out",
        "outDir: `out`, | out",
        "'outDir': 'out', | out",
        "outDir: path.resolve(__dirname, 'out'), | out",
        "outDir: resolve(import.meta.dirname, \"out\"), | out",
        "outDir: path.join(process.cwd(), 'out') } | out",
        "// outDir: 'old', | ",
        "/* outDir: 'old' */ outDir: 'new', | new",
        "url: 'http://x', outDir: 'out', | out",
        "notOutDir: 'x', | ",
        "outDir: process.env.OUT, | ",
        "outDir: dev ? 'a' : 'b', | ",
        "outDir: `${base}/x`, | ",
        "outDir: 'a' + b, | ",
      })
  void aValueIsSeenWhereItIsWrittenOut(String text, @Nullable String value) {
    ConfigText config = new ConfigText(Uncommented.text(text.strip()));

    assertThat(config.string("outDir").orElse("")).isEqualTo(value == null ? "" : value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'open", "/* open", "`open", "'\\", "don't // it's", "/"})
  void whatIsNotClosedEndsWithTheText(String text) {
    assertThat(Uncommented.text(text)).hasSizeLessThanOrEqualTo(text.length() + 1);
  }

  @Test
  void aLongTextTakesNoLongTime() {
    String hostile = "/*".repeat(50_000) + "outDir: resolve(".repeat(5_000);

    assertThat(new ConfigText(Uncommented.text(hostile)).string("outDir")).isEmpty();
  }
}
