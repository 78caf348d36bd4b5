package dev.slipway.db;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs short programs of the host and of PostgreSQL in a clean environment. */
final class Command {
  private static final List<Path> FOLDERS =
      List.of(Path.of("/usr/bin"), Path.of("/bin"), Path.of("/usr/sbin"), Path.of("/sbin"));

  /** No HOME, no LD_PRELOAD, no PG*: nothing of the operator's session changes what runs. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of("PATH", "/usr/bin:/bin:/usr/sbin:/sbin", "LANG", "C", "LC_ALL", "C");

  private Command() {}

  /**
   * @param output standard output and error together
   */
  record Result(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }
  }

  /** The program's path where this host has it. */
  static Optional<String> find(String program) {
    return FOLDERS.stream()
        .map(folder -> folder.resolve(program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /** Ready to start, with both outputs in one stream and nothing to read. */
  static ProcessBuilder prepare(List<String> arguments) {
    ProcessBuilder builder = new ProcessBuilder(arguments);
    builder.environment().clear();
    builder.environment().putAll(ENVIRONMENT);
    builder.directory(Path.of("/").toFile());
    builder.redirectErrorStream(true);
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    return builder;
  }

  /** Runs it to its end. A program that cannot be started at all is exit code 127. */
  static Result run(List<String> arguments) {
    try {
      Process process = prepare(arguments).start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Result(process.waitFor(), output);
    } catch (IOException e) {
      return new Result(127, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while running " + arguments.getFirst(), e);
    }
  }
}
