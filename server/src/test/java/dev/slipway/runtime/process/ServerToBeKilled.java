package dev.slipway.runtime.process;

import dev.slipway.core.EnvVars;
import dev.slipway.core.InstanceId;
import dev.slipway.core.Limits;
import dev.slipway.core.Serving;
import dev.slipway.runtime.InstanceSpec;
import dev.slipway.sandbox.Sandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A server in a JVM of its own that starts one instance and is then killed. */
final class ServerToBeKilled {
  private static final String PROGRAM =
      """
      let number = 0;
      process.on('SIGTERM', () => process.exit(9));
      setInterval(() => console.log('line ' + number++), 20);
      """;

  private ServerToBeKilled() {}

  /** Returns when the instance runs and the JVM that started it is dead. */
  static void start(int level, Path data, Path instances, InstanceId id, int port)
      throws IOException, InterruptedException {
    Path release = Files.createTempDirectory(data, "release");
    Files.setPosixFilePermissions(release, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.writeString(release.resolve("app.js"), PROGRAM);
    Process server =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                ServerToBeKilled.class.getName(),
                Integer.toString(level),
                data.toString(),
                instances.toString(),
                id.value(),
                Integer.toString(port),
                release.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var said = server.inputReader(StandardCharsets.UTF_8)) {
      String line = Optional.ofNullable(said.readLine()).orElse("nothing");
      if (!line.equals("running")) {
        throw new IllegalStateException("the server said " + line);
      }
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  public static void main(String... arguments) throws InterruptedException {
    Sandbox sandbox =
        Sandbox.available(Path.of(arguments[1])).toList().get(Integer.parseInt(arguments[0]));
    ProcessRuntime runtime = new ProcessRuntime(sandbox, Path.of(arguments[2]));
    InstanceId id = new InstanceId(arguments[3]);
    runtime.start(
        new InstanceSpec(
            id,
            List.of(Path.of(arguments[5])),
            Serving.Program.of(List.of("node", "app.js"), Map.of()),
            InstanceSpec.Tools.NONE,
            new EnvVars(Map.of("TOKEN", "value")),
            Integer.parseInt(arguments[4]),
            new Limits(192, 1, 64)));
    while (runtime.output(id, 1).isEmpty()) {
      LockSupport.parkNanos(2_000_000);
    }
    System.out.println("running");
    Thread.currentThread().join();
  }
}
