package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DotEnvTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          A=b                    | ~b~
          A = b                  | ~b~
            export A=b           | ~b~
          A=                     | ~~
          A=b c # a comment      | ~b c~
          A=# only a comment     | ~~
          A=b#c                  | ~b#c~
          A=it's                 | ~it's~
          A=x=y                  | ~x=y~
          A="b # c"              | ~b # c~
          A="b" # c              | ~b~
          A='b\\nc'              | ~b\\nc~
          A=`b "c" 'd'`          | ~b "c" 'd'~
          A="say \\"hi\\""       | ~say "hi"~
          A="C:\\dir\\\\new"     | ~C:\\dir\\new~
          A="$HOME/${B}"         | ~$HOME/${B}~
          A=${{PGHOST}}          | ~${{PGHOST}}~
          A=1\\nB                | ~1\\nB~
          """)
  void aValueIsReadAsItWasMeant(String line, String value) {
    assertThat(DotEnv.read(line)).isEqualTo(Map.of("A", value));
  }

  @Test
  void valuesInQuotesMayHaveSeveralLines() {
    assertThat(
            DotEnv.read(
                "\uFEFF# keys\r\n\r\nKEY=\"-----BEGIN-----\r\nabc\r\n-----END-----\"\r\nB='1\n2'\nC=\"x\\ny\\tz\"\n"))
        .isEqualTo(
            Map.of("KEY", "-----BEGIN-----\nabc\n-----END-----", "B", "1\n2", "C", "x\ny\tz"));
  }

  @Test
  void theLastOfANameCounts() {
    assertThat(DotEnv.read("A=1\nA=2")).isEqualTo(Map.of("A", "2"));
    assertThat(DotEnv.read("")).isEmpty();
  }

  @Test
  void faultsAreNamedByLineAndNothingOfThemIsQuoted() {
    assertThatThrownBy(() ->
            DotEnv.read("A=1\nhush\n2B=hush\nC=\"x\ny\" hush\n\n=hush\nexport D\nE='hush\nF=1\n"))
        .hasMessage(
            "The .env file: line 2 has no =; write NAME=value; "
                + "line 3 does not begin with a name of letters, digits and underscores; "
                + "line 5 has more behind the closing quote; "
                + "line 7 does not begin with a name of letters, digits and underscores; "
                + "line 8 has no =; write NAME=value; "
                + "line 9 begins a quote that is not closed.");
  }
}
