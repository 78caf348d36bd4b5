package dev.slipway.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.framework.CommandLine.Command;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  private static List<Command> commands(String line) {
    assertThat(CommandLine.fault(line)).isEmpty();
    return CommandLine.parse(line).orElseThrow().commands();
  }

  private static List<String> words(String line) {
    return commands(line).getLast().words();
  }

  @Test
  void readsAssignmentsQuotesAndWords() {
    assertThat(commands("cross-env A=1 B=\"x y\" node  'my app.js' --name=\"\" '' -v a\\ b"))
        .containsExactly(
            new Command(
                "",
                Map.of("A", "1", "B", "x y"),
                List.of("node", "my app.js", "--name=", "", "-v", "a b")));
  }

  @Test
  void runsCommandsOneAfterTheOther() {
    assertThat(commands("alembic upgrade head && exec uvicorn main:app"))
        .extracting(Command::words)
        .containsExactly(List.of("alembic", "upgrade", "head"), List.of("uvicorn", "main:app"));
    assertThat(commands("npm ci\n\n# then\nnpm run \\\n build # all\n"))
        .extracting(Command::words)
        .containsExactly(List.of("npm", "ci"), List.of("npm", "run", "build"));
  }

  @Test
  void changesTheDirectoryForWhatFollows() {
    assertThat(commands("cd a/b && x && cd ../c && y && cd /app/d && z && cd /app && w"))
        .extracting(Command::directory)
        .containsExactly("a/b", "a/c", "d", "");
  }

  @Test
  void bringsEarlierCommandsToTheirDirectoryFromTheLastOnes() {
    assertThat(CommandLine.parse("x && cd a/b && y").orElseThrow().words())
        .containsExactly(List.of("env", "--chdir=./../..", "x"), List.of("y"));
    assertThat(CommandLine.parse("cd ../up && x && cd ../down && y").orElseThrow().words())
        .containsExactly(List.of("env", "--chdir=./../up", "x"), List.of("y"));
  }

  @Test
  void keepsWhatIsExportedForTheCommandsAfterIt() {
    CommandLine line = CommandLine.parse("export A=1 B && B=2 x && C=$A y").orElseThrow();

    assertThat(line.commands())
        .extracting(Command::env)
        .containsExactly(Map.of("A", "1", "B", "2"), Map.of("A", "1", "C", "${A}"));
    assertThat(line.env()).isEqualTo(Map.of("A", "1", "B", "2", "C", "${A}"));
  }

  @Test
  void readsTheLineOfAShellInsteadOfRunningIt() {
    assertThat(commands("A=1 sh -c 'cd api && x \"$PORT\"' && y"))
        .containsExactly(
            new Command("api", Map.of("A", "1"), List.of("x", "${PORT}")),
            new Command("", Map.of(), List.of("y")));
    assertThat(words("bash start.sh")).containsExactly("bash", "start.sh");
  }

  @Test
  void leavesOutTheActivationOfAnEnvironment() {
    assertThat(commands("source .venv/bin/activate && . venv/bin/activate && uvicorn main:app"))
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "x $PORT                      ~ $PORT",
        "x ${PORT}                    ~ $PORT",
        "x \"$PORT\"                  ~ ${PORT}",
        "x :$PORT                     ~ :${PORT}",
        "x $HOST:$PORT                ~ ${HOST}:${PORT}",
        "x ${PORT:-8000}              ~ ${PORT:-8000}",
        "x ${PORT:=8000}              ~ ${PORT:-8000}",
        "x ${PORT-8000}               ~ ${PORT:-8000}",
        "x ${A:-${B:-$C}}             ~ ${A:-${B:-${C}}}",
        "x '$PORT'                    ~ $$PORT",
        "x \\$PORT                    ~ $$PORT",
        "x \"a\\$b\"                  ~ a$$b",
        "x ^a$                        ~ ^a$$",
        "x uvicorn[standard]          ~ uvicorn[standard]",
        "x --forwarded-allow-ips=*    ~ --forwarded-allow-ips=*",
        "x '*'                        ~ *",
        "x a#b                        ~ a#b",
      })
  void keepsVariablesForTheStart(String line, String word) {
    assertThat(words(line)).containsExactly("x", word);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node a.js; true",
        "node a.js | tee log",
        "node a.js || true",
        "node a.js &",
        "node `x`",
        "node \"`x`\"",
        "node $(x)",
        "node \"$(x)\"",
        "node a.js > log",
        "node < a.js",
        "(node a.js)",
        "node *.js",
        "node a?.js",
        "node ~/a.js",
        "node $1",
        "node $@",
        "node ${A#b}",
        "node ${A:?b}",
        "node ${A:-$(b)}",
        "node ${A:-a b}",
        "if true",
        "set -e && node a.js",
        "source env.sh && node a.js",
        "sh -c 'a; b'",
        "sh -c a b",
        "eval x",
        "cd $A && b",
        "cd /etc && b",
        "cd && b",
        "cd - && b"
      })
  void refusesWhatOnlyAShellUnderstands(String line) {
    assertThat(CommandLine.parse(line)).isEmpty();
    assertThat(CommandLine.fault(line)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node 'open",
        "node \"open",
        "node ${A",
        "node ${A:-b",
        "node a\\",
        "A=1",
        "",
        "  ",
        "# x",
        "cd a",
        "&& a",
        "a &&",
        "node \u0000"
      })
  void refusesWhatIsNoCommand(String line) {
    assertThat(CommandLine.parse(line)).isEmpty();
    assertThat(CommandLine.fault(line)).isPresent();
  }

  @Test
  void saysWhatToDoInstead() {
    assertThat(CommandLine.fault("a | b"))
        .hasValueSatisfying(sentence ->
            assertThat(sentence)
                .isEqualTo(
                    "A pipe (|) needs a shell, and commands run without one. Put the line into a script of package.json or into a file of the repository, and let the command call that."));
  }

  @Test
  void refusesALineWithoutEnd() {
    assertThat(CommandLine.fault("x ".repeat(8192)))
        .hasValueSatisfying(sentence -> assertThat(sentence).contains("8192 characters"));
    assertThat(CommandLine.parse("x " + "${A:-".repeat(1000) + "}".repeat(1000))).isEmpty();
    assertThat(CommandLine.parse("sh -c \"".repeat(1000) + "\"".repeat(1000))).isEmpty();
  }
}
