package dev.slipway.tool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionRangeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'' ; 20.1.0",
        "* ; 20.1.0",
        "20 ; 20.20.2",
        "v20.11 ; 20.11.9",
        "20.x ; 20.0.0",
        "^20.9 ; 20.20.2",
        "^0.5.1 ; 0.5.9",
        "~20.9.1 ; 20.9.4",
        "~20 ; 20.9.4",
        ">=18 ; 20.1.0",
        "> 18 ; 19.0.0",
        "<=20 ; 20.20.2",
        ">=18 <21 ; 20.1.0",
        ">=18.0.0, <21.0.0 ; 20.1.0",
        "18 - 20 ; 20.20.2",
        "16 || 18 || 20 ; 18.3.1",
        "9.1.0+sha512.abcdef ; 9.1.0",
        "5.0.0-beta.2 ; 5.0.0-beta.2",
        ">=3.11,<3.13 ; 3.12.4",
        "==3.12.* ; 3.12.4",
        "~=3.11 ; 3.14.0",
        "~=3.11.2 ; 3.11.9",
        "!=3.11.1,>=3.10 ; 3.11.2",
        "^3.9 ; 3.13.1",
        "3.12 ; 3.12.1",
        "^3.9 | ^4.0 ; 3.13.1"
      })
  void allowsWhatIsInIt(String range, String version) {
    assertThat(allows(range, version)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "20 ; 21.0.0",
        "^20.9 ; 20.8.9",
        "^0.5.1 ; 0.6.0",
        "^0.0.3 ; 0.0.4",
        "~20.9.1 ; 20.10.0",
        ">18 ; 18.9.0",
        "<20 ; 20.0.0",
        "18 - 20 ; 21.0.0",
        "16 || 18 ; 17.9.9",
        ">=20 ; 23.0.0-rc.1",
        "~=3.11.2 ; 3.12.0",
        "!=3.11.1,>=3.10 ; 3.11.1"
      })
  void refusesWhatIsNot(String range, String version) {
    assertThat(allows(range, version)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:../../etc",
        "https://evil.example/x.tgz",
        "npm:other@1",
        "owner/repository",
        "--registry=https://evil.example",
        "22; rm",
        "next"
      })
  void whatIsNoRangeIsNone(String text) {
    assertThat(VersionRange.parse(text)).isEmpty();
  }

  @Test
  void whatIsLongerThanAnyRangeIsNone() {
    assertThat(VersionRange.parse("1 ".repeat(500_000))).isEmpty();
  }

  @Test
  void managersReadItInTheirOwnWords() {
    VersionRange range = VersionRange.parse("^18.1 || 20.9.1").orElseThrow();

    assertThat(range.forNpm()).isEqualTo(">=18.1.0 <19.0.0 || =20.9.1");
    assertThat(range.forPython()).isEqualTo("==20.9.1");
    assertThat(VersionRange.ANY.forNpm()).isEqualTo("*");
    assertThat(VersionRange.ANY.forPython()).isEmpty();
  }

  @Test
  void rangesThatDoNotMeetLeaveNothing() {
    VersionRange eight = VersionRange.major(8);

    assertThat(VersionRange.parse(">=7").orElseThrow().and(eight).possible()).isTrue();
    assertThat(VersionRange.parse("9.1.0").orElseThrow().and(eight).possible()).isFalse();
  }

  private static boolean allows(String range, String version) {
    return VersionRange.parse(range).orElseThrow().allows(Version.parse(version).orElseThrow());
  }
}
