package dev.slipway.tool;

import dev.slipway.core.Limits;
import dev.slipway.sandbox.Ending;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.SandboxSpec;
import dev.slipway.sandbox.SandboxedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Runs the toolbox's own programs: in the sandbox, as a user that nothing else runs as. */
final class ToolRuns {
  /** Beside those of builds, of running programs and of the sandbox's trial. */
  static final int UID = 299_000;

  private static final Limits LIMITS = new Limits(2048, 1, 512);

  private final Sandbox sandbox;
  private final OperatorSettings operator;
  private final Path directory;
  private final AtomicLong number = new AtomicLong();

  /**
   * @param directory for runs and nothing else; what an earlier server left there is ended
   */
  ToolRuns(Sandbox sandbox, OperatorSettings operator, Path directory) {
    this.sandbox = sandbox;
    this.operator = operator;
    this.directory = directory;
    sandbox.endLeftovers(directory, Set.of());
  }

  /**
   * What a program did.
   *
   * @param status its exit status; -1 if it took too long or could not be run
   * @param lines what it printed
   */
  record Answer(int status, List<String> lines) {
    boolean succeeded() {
      return status == 0;
    }

    boolean mentions(String text) {
      return lines.stream().anyMatch(line -> line.contains(text));
    }
  }

  /**
   * Runs one to its end.
   *
   * @param app its working directory, which its user may write to
   * @param tools that it is run with, found before the host's own
   */
  Answer run(
      Path app, List<String> argv, Map<String, String> more, Provision tools, Duration atMost)
      throws InterruptedException {
    String name = "tool-" + ProcessHandle.current().pid() + "-" + number.incrementAndGet();
    Path run = directory.resolve(name);
    Map<String, String> env = new HashMap<>(operator.env());
    env.putAll(more);
    List<Path> shown =
        Stream.concat(tools.directories().stream(), operator.files().stream()).toList();
    List<String> path = tools.path().stream().map(Path::toString).toList();
    try {
      Path home = Files.createDirectories(run.resolve("home"));
      Path npmrc = Files.writeString(home.resolve(".npmrc"), operator.npmrc() + "\n");
      Files.setPosixFilePermissions(npmrc, PosixFilePermissions.fromString("rw-r--r--"));
      return runToEnd(
          new SandboxSpec(
              name,
              run,
              "",
              List.of(argv),
              env,
              path,
              new SandboxSpec.Files.Writable(app),
              shown,
              UID,
              LIMITS,
              SandboxSpec.Network.HOST,
              SandboxSpec.Output.PIPED),
          atMost);
    } catch (IOException e) {
      throw new UncheckedIOException("preparing " + run + " failed", e);
    } finally {
      sandbox.end(run);
    }
  }

  private Answer runToEnd(SandboxSpec spec, Duration atMost) throws InterruptedException {
    SandboxedProcess process = sandbox.start(spec);
    List<String> lines = new CopyOnWriteArrayList<>();
    // Reading a pipe is not interruptible, so another thread does; it ends with the program.
    Thread reader =
        Thread.ofVirtual()
            .name("output of " + spec.name())
            .start(() -> read(process.output().orElseThrow(), lines));
    int status = -1;
    try {
      Ending ending = process.exit().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
      status = ending.status();
    } catch (TimeoutException e) {
      lines.add("It took longer than %d s.".formatted(atMost.toSeconds()));
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      process.stop(Duration.ZERO);
      reader.join();
    }
    return new Answer(status, List.copyOf(lines));
  }

  private static void read(InputStream from, List<String> lines) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("The rest of the output could not be read: " + e.getMessage());
    }
  }
}
