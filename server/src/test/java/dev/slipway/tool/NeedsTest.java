package dev.slipway.tool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeedsTest {
  @ParameterizedTest
  @CsvSource({
    "npm, 11.19.1, 20.20.2, true",
    "npm, 11.19.1, 18.20.8, false",
    "npm, 10.9.9, 18.20.8, true",
    "npm, 8.19.4, 11.15.0, false",
    "pnpm, 9.15.4, 16.20.2, false",
    "bun, 1.3.0, 4.0.0, true"
  })
  void aPackageManagerRunsWithSomeNodes(String tool, String version, String node, boolean runs) {
    assertThat(Needs.met(tool, version(version), version(node))).isEqualTo(runs);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "npm ; '' ; 18.20.8 ; <11.0.0",
        "pnpm ; >=7 ; 16.20.2 ; >=7.0.0 <9.0.0",
        "pnpm ; >=9 <11 ; 22.14.0 ; >=9.0.0 <11.0.0",
        "pnpm ; 9.1.0 ; 16.20.2 ; =9.1.0"
      })
  void anOpenRangeIsNarrowedToWhatRuns(String tool, String range, String node, String narrowed) {
    VersionRange asked = VersionRange.parse(range).orElseThrow();

    assertThat(Needs.narrowed(tool, asked, version(node)).forNpm()).isEqualTo(narrowed);
  }

  private static Version version(String text) {
    return Version.parse(text).orElseThrow();
  }
}
