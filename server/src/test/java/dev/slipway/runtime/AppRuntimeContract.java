package dev.slipway.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.AppFailure;
import dev.slipway.core.EnvVars;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.core.Limits;
import dev.slipway.core.Serving;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every engine must do, shown with small programs. The subclass ends what is left. */
public abstract class AppRuntimeContract {
  private static final Duration GRACE = Duration.ofSeconds(20);
  private static final Limits LIMITS = new Limits(192, 1, 64);

  /** Answers each request with what its path names; see the tests. */
  private static final String SERVER =
      """
      const fs = require('fs');
      require('http').createServer((request, response) => {
        const [, word, rest] = request.url.split('/');
        if (word === 'env') response.end(Buffer.from(process.env[rest] ?? '(none)'));
        else if (word === 'names') response.end(Object.keys(process.env).join(' '));
        else if (word === 'write') {
          fs.writeFileSync('made', rest);
          fs.writeFileSync('data/made', rest);
          fs.appendFileSync('given', rest);
          response.end(fs.readFileSync('given'));
        } else if (word === 'read') {
          response.end(fs.existsSync('made') ? fs.readFileSync('made') : '(none)');
        } else if (word === 'print') { console.log(decodeURIComponent(rest)); response.end('ok'); }
        else if (word === 'exit') process.exit(Number(rest));
        else response.end('hello');
      }).listen(Number(process.env.PORT), () => console.log('up'));
      """;

  private final HttpClient http = HttpClient.newHttpClient();

  /** The engine under test, always the same. */
  protected abstract AppRuntime runtime();

  /** A further one over the same place, as after a restart of the server. */
  protected abstract AppRuntime restarted();

  /** Deleted by the subclass; the engine must reach what is below. */
  protected abstract Path directory();

  @Test
  void anInstanceAnswersAndStopsOnRequest() throws Exception {
    RunningInstance instance = startServer(InstanceId.next(), EnvVars.NONE);
    awaitListening(instance);

    assertThat(get(instance, "/")).isEqualTo("hello");
    runtime().stop(instance.id(), GRACE);
    assertThat(runtime().ports(instance.id())).isEmpty();
    assertThat(exit(instance.id())).isEqualTo(new Exit(143, false));
  }

  @Test
  void variablesInTheCommandAreWhatTheProgramHas() throws Exception {
    InstanceId id = InstanceId.next();
    int port = freePort();
    Path release = release();
    Files.writeString(
        release.resolve("app.js"),
        "console.log(JSON.stringify([...process.argv.slice(2), process.env.MADE]))");
    Serving.Program program =
        Serving.Program.of(
            List.of("node", "app.js", ":${PORT}", "${TRICK}", "$WORDS", "$$PORT"),
            Map.of("MADE", "${NONE:-${WORDS}}"));
    EnvVars env =
        new EnvVars(program.env())
            .with(new EnvVars(Map.of("TRICK", "$(exit 7); $PORT", "WORDS", "a b")));
    runtime()
        .start(
            new InstanceSpec(
                id, List.of(release), program, InstanceSpec.Tools.NONE, env, port, LIMITS));

    assertThat(exit(id)).isEqualTo(new Exit(0, false));
    assertThat(runtime().output(id, 1))
        .containsExactly(
            "[\":%d\",\"$(exit 7); $PORT\",\"a\",\"b\",\"$PORT\",\"a b\"]".formatted(port));
  }

  @Test
  void startedTwiceItIsOneInstance() throws Exception {
    RunningInstance first = startServer(InstanceId.next(), EnvVars.NONE);
    awaitListening(first);
    get(first, "/write/first");

    assertThat(runtime().start(server(first.id(), first.port(), EnvVars.NONE))).isEqualTo(first);
    assertThat(restarted().start(server(first.id(), first.port(), EnvVars.NONE))).isEqualTo(first);
    assertThat(get(first, "/read")).isEqualTo("first");
  }

  @Test
  void aProgramThatIgnoresTheSignalIsKilledAfterTheGrace() throws Exception {
    InstanceId id =
        start("process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)");
    awaitOutput(id, "up");
    long before = System.nanoTime();
    runtime().stop(id, Duration.ofMillis(300));

    assertThat(Duration.ofNanos(System.nanoTime() - before))
        .isBetween(Duration.ofMillis(300), GRACE);
    assertThat(exit(id)).isEqualTo(new Exit(137, false));
  }

  @Test
  void theSignalReachesTheProgramItself() throws Exception {
    InstanceId id =
        start(
            "process.on('SIGTERM', () => { console.log('bye'); process.exit(4) });"
                + " console.log('up'); setInterval(() => {}, 1000)");
    awaitOutput(id, "up");
    runtime().stop(id, GRACE);

    assertThat(exit(id)).isEqualTo(new Exit(4, false));
    assertThat(runtime().output(id, 1)).containsExactly("bye");
  }

  @Test
  void childrenEndWithTheirInstance() throws Exception {
    int port = freePort();
    String child =
        "require('http').createServer((q, r) => r.end('child')).listen(process.env.PORT)";
    InstanceSpec spec =
        spec(
            InstanceId.next(),
            port,
            EnvVars.NONE,
            "const { spawn } = require('child_process');"
                + " spawn(process.execPath, ['-e', process.env.CHILD], {stdio: 'inherit'});"
                + " setInterval(() => {}, 1000)",
            Map.of("CHILD", child));
    RunningInstance instance = runtime().start(spec);
    awaitListening(instance);
    assertThat(get(instance, "/")).isEqualTo("child");
    runtime().stop(instance.id(), GRACE);

    assertThat(free(port)).isTrue();
  }

  @Test
  void theExitStatusOfAProgramThatEndsByItselfArrives() throws Exception {
    assertThat(exit(start("process.exit(3)"))).isEqualTo(new Exit(3, false));
  }

  @Test
  void aProgramThatThrowsAtItsStartLeavesItsReason() throws Exception {
    InstanceId id = start("throw new Error('no database')");

    assertThat(exit(id)).isEqualTo(new Exit(1, false));
    assertThat(runtime().output(id, 50)).anyMatch(line -> line.contains("no database"));
  }

  @Test
  void aProgramThatIsNotThereFailsTheStart() throws Exception {
    InstanceSpec spec =
        new InstanceSpec(
            InstanceId.next(),
            List.of(release()),
            Serving.Program.of(List.of("no-such-program"), Map.of()),
            InstanceSpec.Tools.NONE,
            EnvVars.NONE,
            freePort(),
            LIMITS);

    assertThatThrownBy(() -> runtime().start(spec))
        .isInstanceOfSatisfying(
            AppFailure.class,
            failure -> assertThat(failure.failure().code()).isEqualTo(FailureCode.START_FAILED));
  }

  @Test
  void goingOverTheMemoryLimitEndsTheProgramAndIsReported() throws Exception {
    assumeTrue(runtime().capabilities().memoryLimit(), "no memory limits on this host");
    InstanceId id = start("const all = []; for (;;) all.push(Buffer.alloc(1 << 20, 1))");

    assertThat(exit(id)).isEqualTo(new Exit(137, true));
  }

  @Test
  void aFloodOfOutputKeepsItsEndOnly() throws Exception {
    InstanceId id =
        start(
            "const line = 'x'.repeat(999) + '\\n', fs = require('fs');"
                + " for (let i = 0; i < 100000; i++) fs.writeSync(1, line); console.log('the end')");

    assertThat(exit(id)).isEqualTo(new Exit(0, false));
    assertThat(runtime().output(id, 2)).containsExactly("x".repeat(999), "the end");
    assertThat(sizeOf(directory())).isLessThan(16L << 20);
  }

  @Test
  void theOutputIsReadFromAnyPlaceOnThatIsStillKept() throws Exception {
    InstanceId id =
        start(
            "const fs = require('fs'); for (let i = 0; i < 12000; i++)"
                + " fs.writeSync(1, String(i).padStart(5, '0') + 'x'.repeat(994) + '\\n')");
    assertThat(exit(id)).isEqualTo(new Exit(0, false));

    Printed oldest = runtime().printed(id, 0, 5_000);
    assertThat(oldest.from()).as("older ones were given up").isBetween(1_000L, 9_000_000L);
    long place = oldest.from() + 999 - (oldest.from() + 999) % 1_000;
    long count = 0;
    while (place < 12_000_000) {
      Printed piece = runtime().printed(id, place, 64_000);
      assertThat(piece.from()).isEqualTo(place);
      assertThat(new String(piece.bytes(), 0, 5, StandardCharsets.UTF_8))
          .isEqualTo("%05d".formatted(place / 1_000));
      assertThat(piece.bytes().length % 1_000).isZero();
      place += piece.bytes().length;
      count++;
    }
    assertThat(count).isPositive();
    assertThat(runtime().printed(id, place, 64_000).bytes()).isEmpty();
    assertThat(runtime().printedBytes(id)).isEqualTo(place);
  }

  @Test
  void whoPrintsLineByLineKeepsAsMuch() throws Exception {
    InstanceId id =
        start(
            "const fs = require('fs'); for (let i = 0; i < 1000; i++) {"
                + " fs.writeSync(1, i + '\\n'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1) }");

    assertThat(exit(id)).isEqualTo(new Exit(0, false));
    assertThat(runtime().output(id, 2_000)).hasSize(1_000).startsWith("0", "1");
  }

  @Test
  void twoInstancesOfOneReleaseWriteEachForItselfAndNotToTheRelease() throws Exception {
    Path release = release();
    RunningInstance one = runtime().start(server(InstanceId.next(), freePort(), release));
    RunningInstance two = runtime().start(server(InstanceId.next(), freePort(), release));
    awaitListening(one);
    awaitListening(two);

    assertThat(get(one, "/write/one")).isEqualTo("givenone");
    assertThat(get(one, "/read")).isEqualTo("one");
    assertThat(get(two, "/read")).isEqualTo("(none)");
    assertThat(release.resolve("given")).hasContent("given");
    assertThat(release.resolve("made")).doesNotExist();
    assertThat(release.resolve("data/made")).doesNotExist();
  }

  @Test
  void theEnvironmentArrivesAsItIs() throws Exception {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("LINES", "-----BEGIN-----\nabc\n\n-----END-----\n");
    env.put("QUOTES", "'\"`$HOME` $(id) \\ \\n");
    env.put("UMLAUTS", "Ünïcödé \uD83D\uDE80");
    env.put("name", "lower case");
    env.put("PORT", "1");
    RunningInstance instance = startServer(InstanceId.next(), new EnvVars(env));
    awaitListening(instance);

    for (String name : List.of("LINES", "QUOTES", "UMLAUTS", "name")) {
      assertThat(get(instance, "/env/" + name)).isEqualTo(env.get(name));
    }
    assertThat(get(instance, "/env/PORT")).isEqualTo(Integer.toString(instance.port()));
    assertThat(get(instance, "/names").split(" ", -1))
        .containsExactlyInAnyOrder(
            "LINES", "QUOTES", "UMLAUTS", "name", "PORT", "HOME", "TMPDIR", "LANG", "PATH");
  }

  @Test
  void valuesOfTheEnvironmentAreInNoCommandLine() throws Exception {
    String value = "hidden-" + HexFormat.of().toHexDigits(System.nanoTime());
    RunningInstance instance = startServer(InstanceId.next(), new EnvVars(Map.of("TOKEN", value)));
    awaitListening(instance);

    assertThat(ProcessHandle.allProcesses().map(process -> commandLine(process.pid())))
        .isNotEmpty()
        .noneMatch(line -> line.contains(value));
  }

  @Test
  void anotherProgramOnThePortIsNotTheInstance() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InstanceId id = InstanceId.next();
      runtime()
          .start(
              spec(
                  id,
                  other.getLocalPort(),
                  EnvVars.NONE,
                  "console.log('up'); setInterval(() => {}, 1000)",
                  Map.of()));
      awaitOutput(id, "up");

      assertThat(runtime().ports(id)).isEmpty();
    }
  }

  @Test
  void afterARestartTheSameInstanceGoesOnAndTheOthersAreEnded() throws Exception {
    RunningInstance kept = startServer(InstanceId.next(), EnvVars.NONE);
    RunningInstance unknown = startServer(InstanceId.next(), EnvVars.NONE);
    awaitListening(kept);
    awaitListening(unknown);
    get(kept, "/write/before");
    AppRuntime restarted = restarted();
    InstanceId never = InstanceId.next();

    assertThat(restarted.recover(Set.of(kept.id(), never))).isEqualTo(Map.of(kept.id(), kept));
    assertThat(restarted.ports(kept.id())).containsExactly(kept.port());
    assertThat(get(kept, "/read")).isEqualTo("before");
    assertThat(free(unknown.port())).isTrue();
    assertThat(restarted.exit(never).get(30, TimeUnit.SECONDS)).isEqualTo(Exit.UNKNOWN);

    get(kept, "/print/printed%20later");
    await(() -> restarted.output(kept.id(), 1).contains("printed later"));
    restarted.stop(kept.id(), GRACE);
    assertThat(restarted.exit(kept.id()).get(30, TimeUnit.SECONDS)).isEqualTo(new Exit(143, false));
  }

  @Test
  void whatEndedWhileNobodyWasThereIsReportedAsItEnded() throws Exception {
    InstanceId id = start("console.log('done'); process.exit(6)");
    exit(id);
    AppRuntime restarted = restarted();

    assertThat(restarted.recover(Set.of(id))).isEmpty();
    assertThat(restarted.exit(id).get(30, TimeUnit.SECONDS)).isEqualTo(new Exit(6, false));
    assertThat(restarted.output(id, 5)).containsExactly("done");
  }

  @Test
  void aForgottenInstanceIsGone() throws Exception {
    InstanceId id = start("console.log('done')");
    exit(id);
    runtime().forget(id);

    assertThat(runtime().output(id, 5)).isEmpty();
    assertThat(exit(id)).isEqualTo(Exit.UNKNOWN);
    runtime().stop(id, GRACE);
  }

  @Test
  void whatIsWrittenReadOnlyIsDeletedTooWhenItStops() throws Exception {
    InstanceId id =
        start(
            "const fs = require('fs'); fs.mkdirSync('deep/er', {recursive: true});"
                + " fs.writeFileSync('deep/er/file', ''); fs.chmodSync('deep/er', 0o500);"
                + " fs.chmodSync('deep', 0); console.log('up'); setInterval(() => {}, 1000)");
    awaitOutput(id, "up");
    runtime().stop(id, GRACE);

    try (Stream<Path> files = Files.walk(directory())) {
      assertThat(files.map(Path::toString)).noneMatch(path -> path.contains("deep"));
    }
  }

  private InstanceId start(String program) throws IOException {
    InstanceId id = InstanceId.next();
    runtime().start(spec(id, freePort(), EnvVars.NONE, program, Map.of()));
    return id;
  }

  private RunningInstance startServer(InstanceId id, EnvVars env) throws IOException {
    return runtime().start(server(id, freePort(), env));
  }

  private InstanceSpec server(InstanceId id, int port, EnvVars env) throws IOException {
    return spec(id, port, env, SERVER, Map.of());
  }

  private static InstanceSpec server(InstanceId id, int port, Path release) throws IOException {
    Files.writeString(release.resolve("app.js"), SERVER);
    return new InstanceSpec(
        id,
        List.of(release),
        Serving.Program.of(List.of("node", "app.js"), Map.of()),
        InstanceSpec.Tools.NONE,
        EnvVars.NONE,
        port,
        LIMITS);
  }

  private InstanceSpec spec(
      InstanceId id, int port, EnvVars env, String program, Map<String, String> more)
      throws IOException {
    Path release = release();
    Files.writeString(release.resolve("app.js"), program);
    return new InstanceSpec(
        id,
        List.of(release),
        Serving.Program.of(List.of("node", "app.js"), Map.of()),
        InstanceSpec.Tools.NONE,
        env.with(new EnvVars(more)),
        port,
        LIMITS);
  }

  /** A release as the store lays it out: open to others, behind a closed door. */
  private Path release() throws IOException {
    Path release = Files.createTempDirectory(directory(), "release");
    permit(release, "rwxrwxrwx");
    permit(Files.createDirectory(release.resolve("data")), "rwxrwxrwx");
    permit(Files.writeString(release.resolve("given"), "given"), "rw-rw-rw-");
    return release;
  }

  /** The bytes of all files below that we may see. */
  private static long sizeOf(Path root) throws IOException {
    AtomicLong bytes = new AtomicLong();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes.addAndGet(attributes.size());
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException closed) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes.get();
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private Exit exit(InstanceId id) throws Exception {
    return runtime().exit(id).get(20, TimeUnit.SECONDS);
  }

  private String get(RunningInstance instance, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://%s:%d%s".formatted(instance.host(), instance.port(), path)))
            .timeout(Duration.ofSeconds(10))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private void awaitListening(RunningInstance instance) {
    await(() -> {
      boolean ended = runtime().exit(instance.id()).isDone();
      assertThat(ended).as("ended: %s", runtime().output(instance.id(), 20)).isFalse();
      return runtime().ports(instance.id()).contains(instance.port());
    });
  }

  private void awaitOutput(InstanceId id, String line) {
    await(() -> runtime().output(id, 10).contains(line));
  }

  /** Looks every two milliseconds, for 40 seconds at most. */
  protected static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time limit of 40 seconds").isLessThan(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }

  protected static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket(port)) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  /** Empty for one that has ended. */
  protected static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }
}
