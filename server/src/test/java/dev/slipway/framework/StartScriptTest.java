package dev.slipway.framework;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartScriptTest {
  @Test
  void readsAssignmentsQuotesAndWords() {
    assertThat(StartScript.parse("cross-env A=1 B=\"x y\" node  'my app.js' --name=\"\" -v"))
        .contains(
            new StartScript(
                Map.of("A", "1", "B", "x y"), List.of("node", "my app.js", "--name=", "-v")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node a.js && node b.js",
        "node a.js; true",
        "node $FILE",
        "node \"$FILE\"",
        "node `x`",
        "node a.js > log",
        "(node a.js)",
        "node *.js",
        "node 'open",
        "A=1",
        "",
        "node a\\ b.js"
      })
  void leavesToAShellWhatOnlyAShellUnderstands(String line) {
    assertThat(StartScript.parse(line)).isEmpty();
  }
}
