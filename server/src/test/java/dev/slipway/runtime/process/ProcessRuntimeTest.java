package dev.slipway.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.EnvVars;
import dev.slipway.core.InstanceId;
import dev.slipway.core.Limits;
import dev.slipway.core.Serving;
import dev.slipway.runtime.AppRuntime;
import dev.slipway.runtime.AppRuntimeContract;
import dev.slipway.runtime.Exit;
import dev.slipway.runtime.InstanceSpec;
import dev.slipway.runtime.RunningInstance;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.SandboxedProcess;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract on every level of isolation that works here, and the death of the server. */
@ParameterizedClass(name = "{0}")
@MethodSource("levels")
final class ProcessRuntimeTest extends AppRuntimeContract {
  private static final Path DIRECTORY = temporary();
  private static final Path DATA = DIRECTORY.resolve("data");

  private final Level level;
  private final Path directory;
  private final ProcessRuntime runtime;

  record Level(int number, Sandbox sandbox) {
    @Override
    public String toString() {
      return sandbox.isolation();
    }
  }

  static Stream<Level> levels() {
    List<Sandbox> sandboxes = Sandbox.available(DATA).toList();
    return Stream.iterate(0, number -> number < sandboxes.size(), number -> number + 1)
        .map(number -> new Level(number, sandboxes.get(number)));
  }

  ProcessRuntimeTest(Level level) throws IOException {
    this.level = level;
    directory = Files.createTempDirectory(DATA, "test");
    permit(directory);
    runtime = restarted();
  }

  @Override
  protected ProcessRuntime runtime() {
    return runtime;
  }

  @Override
  protected ProcessRuntime restarted() {
    return new ProcessRuntime(level.sandbox(), directory.resolve("instances"));
  }

  @Override
  protected Path directory() {
    return directory;
  }

  @AfterEach
  void endAll() {
    level.sandbox().endLeftovers(directory.resolve("instances"), Set.of());
    Trees.delete(directory);
  }

  @AfterAll
  static void deleteAll() {
    Trees.delete(DIRECTORY);
  }

  @Test
  void killedServerLeavesItsInstanceToTheNextOne() throws Exception {
    InstanceId id = InstanceId.next();
    int port = freePort();
    ServerToBeKilled.start(level.number(), DATA, instances(), id, port);
    SandboxedProcess process = level.sandbox().find(instances().resolve(id.value())).orElseThrow();
    Set<Long> before = process.pids();
    int printed = runtime.output(id, 100_000).size();

    Map<InstanceId, RunningInstance> recovered = runtime.recover(Set.of(id));
    assertThat(recovered).containsOnlyKeys(id);
    assertThat(level.sandbox().find(instances().resolve(id.value())).orElseThrow().pids())
        .isEqualTo(before)
        .isNotEmpty();
    await(() -> runtime.output(id, 100_000).size() > printed + 3);
    runtime.stop(id, Duration.ofSeconds(20));
    assertThat(runtime.exit(id).get(30, TimeUnit.SECONDS)).isEqualTo(new Exit(9, false));
  }

  @Test
  void killedServerLeavesNothingThatHasNoRow() throws Exception {
    InstanceId id = InstanceId.next();
    ServerToBeKilled.start(level.number(), DATA, instances(), id, freePort());
    Set<Long> pids = level.sandbox().find(instances().resolve(id.value())).orElseThrow().pids();
    runtime.recover(Set.of());

    // One that has ended and waits for the host's first process has no command line.
    assertThat(pids).isNotEmpty().allMatch(pid -> commandLine(pid).isEmpty());
    assertThat(instances().resolve(id.value())).doesNotExist();
  }

  @Test
  void anEndedInstanceIsStartedAnew() throws Exception {
    InstanceSpec spec = spec(InstanceId.next(), "console.log(process.pid); process.exit(5)");
    runtime.start(spec);
    assertThat(runtime.exit(spec.id()).get(30, TimeUnit.SECONDS)).isEqualTo(new Exit(5, false));
    AppRuntime next = restarted();
    next.start(spec);

    assertThat(next.exit(spec.id()).get(30, TimeUnit.SECONDS)).isEqualTo(new Exit(5, false));
    assertThat(next.output(spec.id(), 10)).hasSize(1);
  }

  private InstanceSpec spec(InstanceId id, String program) throws IOException {
    Path release = Files.createTempDirectory(directory, "release");
    Files.setPosixFilePermissions(release, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.writeString(release.resolve("app.js"), program);
    return new InstanceSpec(
        id,
        List.of(release),
        Serving.Program.of(List.of("node", "app.js"), Map.of()),
        InstanceSpec.Tools.NONE,
        EnvVars.NONE,
        freePort(),
        new Limits(192, 1, 64));
  }

  private Path instances() {
    return directory.resolve("instances");
  }

  private static void permit(Path directory) throws IOException {
    // Without namespaces a program with a user of its own must get through it.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
  }

  private static Path temporary() {
    try {
      Path directory = Files.createTempDirectory("runtime-test").toRealPath();
      permit(directory);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
