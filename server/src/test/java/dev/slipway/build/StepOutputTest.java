package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StepOutputTest {
  private final KeptLog log = new KeptLog();
  private final StepOutput output = new StepOutput(log.open(List.of()));

  @Test
  void npmsOwnErrorTellsWhyAnInstallFailed() {
    print(
        """
        npm error code E404
        npm error 404 Not Found - GET https://registry.example/nope - Not found
        npm error 404  The requested resource could not be found
        npm error A complete log of this run can be found in: /home/.npm/_logs/x.log
        """);

    assertThat(output.tellingLine())
        .contains("404 Not Found - GET https://registry.example/nope - Not found");
  }

  @Test
  void theCompilersErrorTellsWhyABuildFailed() {
    print(
        """
        > shop@1.0.0 build
        > tsc
        src/server.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.
        npm error Lifecycle script `build` failed with error:
        npm error code 2
        npm error path /app
        """);

    assertThat(output.tellingLine().orElseThrow()).startsWith("src/server.ts(3,7): error TS2322");
  }

  @Test
  void anExceptionTellsMoreThanItsStackTrace() {
    print(
        """
        throw new Error('boom');
        Error: boom
            at Object.<anonymous> (/app/build.js:1:7)
        Node.js v20.11.1
        """);

    assertThat(output.tellingLine()).contains("Error: boom");
  }

  @Test
  void theScriptsErrorTellsMoreThanTheWordsOfWhatRanIt() {
    for (String tail :
        List.of(
            "npm error code 1\nnpm error path /app\nnpm error command failed\nnpm error command sh -c node gen.js",
            " ELIFECYCLE  Command failed with exit code 1.\n WARN   Local package.json exists",
            "\u2009ELIFECYCLE\u2009 Command failed with exit code 1.",
            "[ELIFECYCLE] Command failed with exit code 1.",
            "error Command failed with exit code 1.\ninfo Visit https://yarnpkg.com/",
            "error: script \"build\" exited with code 1")) {
      print(
          """
          throw new Error("DATABASE_URL is not set")
          ^

          Error: DATABASE_URL is not set
              at Object.<anonymous> (/app/gen.js:1:7)

          Node.js v20.20.2
          """);
      print(tail);

      assertThat(output.tellingLine()).as(tail).contains("Error: DATABASE_URL is not set");
    }
  }

  @Test
  void anExitStatusIsSaidInWords() {
    assertThat(ExitStatus.words(1)).isEqualTo("ended with exit status 1");
    assertThat(ExitStatus.words(137)).isEqualTo("was killed (exit status 137)");
    assertThat(ExitStatus.words(127))
        .isEqualTo("calls a program that does not exist (exit status 127)");
  }

  @Test
  void everyLineIsLoggedTheEmptyOnesToo() {
    print("one\n\n  \ntwo\n");

    assertThat(log.messages()).containsExactly("one", "", "  ", "two");
  }

  private void print(String text) {
    text.lines().forEach(output::accept);
  }
}
