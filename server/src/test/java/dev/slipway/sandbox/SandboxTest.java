package dev.slipway.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Limits;
import dev.slipway.sandbox.SandboxSpec.Output;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every level of isolation that works on this host, as the user that runs the tests. */
@ParameterizedClass(name = "{0}")
@MethodSource("levels")
final class SandboxTest {
  private static final Path DIRECTORY = temporary();
  private static final int UID = 210_001;

  private final Level level;
  private final Path home;
  private final Path runs;
  private final Path tree;

  SandboxTest(Level level) throws IOException {
    this.level = level;
    home = Files.createTempDirectory(DIRECTORY.resolve("data"), "test");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
    runs = home.resolve("runs");
    tree = Files.createDirectory(home.resolve("tree"));
    Files.writeString(tree.resolve("given.txt"), "given");
  }

  record Level(Sandbox sandbox) {
    @Override
    public String toString() {
      return sandbox.isolation();
    }
  }

  static Stream<Level> levels() {
    return Sandbox.available(DIRECTORY.resolve("data")).map(Level::new);
  }

  @AfterEach
  void endAll() {
    level.sandbox().endLeftovers(runs, Set.of());
    Trees.delete(home);
  }

  @AfterAll
  static void deleteAll() {
    Trees.delete(DIRECTORY);
  }

  @Test
  void pipedOutputIsReadToItsEndAndTheExitStatusArrives() throws Exception {
    SandboxedProcess process =
        level
            .sandbox()
            .start(spec("a", Output.PIPED, Map.of(), "sh", "-c", "echo out; echo err >&2; exit 3"));

    assertThat(read(process)).isEqualTo("out\nerr\n");
    assertThat(process.exit().get(30, TimeUnit.SECONDS)).isEqualTo(new Ending(3, false, false));
    assertThat(process.alive()).isFalse();
  }

  @Test
  void environmentArrivesByteForByteAndNothingElseDoes() throws Exception {
    Map<String, String> env =
        Map.of(
            "QUOTES", "it's \"here\" $HOME `id` \\n %s",
            "LINES", "\nfirst\n\nsecond \t\n",
            "UMLAUTS", "ÄÖÜß Áé\u0301 \uD83D\uDE80 \u0081\u0088",
            "EMPTY", "",
            "IFS", ":",
            "PATH", "/nowhere");
    SandboxedProcess process =
        level.sandbox().start(spec("env", Output.PIPED, env, "cat", "/proc/self/environ"));

    Map<String, String> seen =
        Stream.of(read(process).split("\0", -1))
            .filter(line -> !line.isEmpty())
            .collect(
                Collectors.toMap(
                    line -> line.substring(0, line.indexOf('=')),
                    line -> line.substring(line.indexOf('=') + 1)));
    assertThat(seen).containsAllEntriesOf(without(env, "PATH"));
    assertThat(seen.get("PATH")).startsWith("/nowhere:/");
    assertThat(without(seen, "PATH", "HOME", "TMPDIR", "LANG")).isEqualTo(without(env, "PATH"));
  }

  @Test
  void valuesOfTheEnvironmentAreInNoCommandLine() throws Exception {
    String secret = "s3cret-" + System.nanoTime();
    SandboxedProcess process =
        level.sandbox().start(spec("secret", Output.PIPED, Map.of("TOKEN", secret), "sleep", "60"));

    assertThat(commandLines()).noneMatch(line -> line.contains(secret));
    process.stop(Duration.ofSeconds(20));
  }

  @Test
  void writesGoToTheScratchAndLeaveTheTreeAlone() throws Exception {
    SandboxedProcess process =
        level
            .sandbox()
            .start(
                spec(
                    "cow",
                    Output.PIPED,
                    Map.of(),
                    "sh",
                    "-c",
                    "cat given.txt && rm given.txt && echo new >made.txt && cat made.txt"));

    assertThat(read(process)).isEqualTo("givennew\n");
    assertThat(tree.resolve("given.txt")).hasContent("given");
    assertThat(tree.resolve("made.txt")).doesNotExist();
  }

  @Test
  void unknownProgramIsAFailureOfTheApp() {
    assertThatThrownBy(
            () -> level.sandbox().start(spec("none", Output.KEPT, Map.of(), "no-such-program")))
        .isInstanceOfSatisfying(
            AppFailure.class,
            failure -> assertThat(failure.failure().code()).isEqualTo(FailureCode.START_FAILED))
        .hasMessageContaining("no-such-program");
  }

  @Test
  void fileThatIsNotExecutableIsAFailureOfTheApp() {
    assertThatThrownBy(
            () -> level.sandbox().start(spec("noexec", Output.KEPT, Map.of(), "./given.txt")))
        .isInstanceOf(AppFailure.class);
  }

  @Test
  void stopReachesTheProgramItselfAndItsOwnExitStatusArrives() throws Exception {
    SandboxedProcess process =
        level
            .sandbox()
            .start(
                spec(
                    "term",
                    Output.KEPT,
                    Map.of(),
                    "sh",
                    "-c",
                    "trap 'echo stopping; exit 7' TERM; echo ready; while :; do sleep 0.05; done"));
    await(() -> process.lastOutput(1).contains("ready"));
    process.stop(Duration.ofSeconds(20));

    assertThat(process.exit().get(30, TimeUnit.SECONDS)).isEqualTo(new Ending(7, false, false));
    assertThat(process.lastOutput(2)).containsExactly("ready", "stopping");
    assertThat(process.pids()).isEmpty();
  }

  @Test
  void programThatIgnoresTheSignalIsKilledWithItsChildren() throws Exception {
    SandboxedProcess process =
        level
            .sandbox()
            .start(
                spec(
                    "stubborn",
                    Output.KEPT,
                    Map.of(),
                    "sh",
                    "-c",
                    "trap '' TERM; sleep 61 & setsid sleep 61 & echo ready; wait; wait; wait"));
    await(() -> process.lastOutput(1).contains("ready") && process.pids().size() >= 3);
    List<ProcessIdentity> all =
        process.pids().stream().flatMap(pid -> ProcessIdentity.of(pid).stream()).toList();
    process.stop(Duration.ofMillis(100));

    assertThat(process.exit().get(30, TimeUnit.SECONDS).status()).isEqualTo(137);
    assertThat(all).noneMatch(ProcessIdentity::alive);
  }

  @Test
  void foundAgainItIsTheSameProcessAndItsExitStatusArrives() throws Exception {
    SandboxedProcess first =
        level
            .sandbox()
            .start(spec("again", Output.KEPT, Map.of(), "sh", "-c", "echo hello; exec sleep 62"));
    await(() -> first.lastOutput(1).contains("hello"));
    SandboxedProcess again = level.sandbox().find(runs.resolve("again")).orElseThrow();

    assertThat(again.alive()).isTrue();
    assertThat(again.pids()).isEqualTo(first.pids()).isNotEmpty();
    again.stop(Duration.ofSeconds(20));
    assertThat(again.exit().get(30, TimeUnit.SECONDS).status()).isEqualTo(143);
    assertThat(
            level
                .sandbox()
                .find(runs.resolve("again"))
                .orElseThrow()
                .exit()
                .get(30, TimeUnit.SECONDS))
        .isEqualTo(new Ending(143, false, false));
  }

  @Test
  void leftoversAreEndedAndThoseToKeepGoOn() throws Exception {
    SandboxedProcess kept =
        level.sandbox().start(spec("kept", Output.KEPT, Map.of(), "sleep", "63"));
    SandboxedProcess other =
        level.sandbox().start(spec("other", Output.KEPT, Map.of(), "sleep", "63"));
    List<ProcessIdentity> others =
        other.pids().stream().flatMap(pid -> ProcessIdentity.of(pid).stream()).toList();
    level.sandbox().endLeftovers(runs, Set.of("kept"));

    assertThat(kept.alive()).isTrue();
    assertThat(others).isNotEmpty().noneMatch(ProcessIdentity::alive);
    assertThat(runs).isDirectoryContaining(path -> path.endsWith("kept"));
    assertThat(runs.resolve("other")).doesNotExist();
  }

  @Test
  void outputIsCappedAndItsEndIsKept() throws Exception {
    SandboxedProcess process =
        level
            .sandbox()
            .start(
                spec(
                    "flood",
                    Output.KEPT,
                    Map.of(),
                    "sh",
                    "-c",
                    "head -c 50000000 /dev/zero | tr '\\0' x | fold -w 99; echo; echo the end"));

    assertThat(process.exit().get(30, TimeUnit.SECONDS).status()).isZero();
    assertThat(process.lastOutput(2).getLast()).isEqualTo("the end");
    try (Stream<Path> files = Files.list(runs.resolve("flood"))) {
      assertThat(files.mapToLong(file -> file.toFile().length()).sum()).isLessThan(12L << 20);
    }
  }

  @Test
  void goingOverTheMemoryLimitIsReported() throws Exception {
    assumeTrue(level.sandbox().memoryLimit(), "no limits here");
    SandboxedProcess process =
        level
            .sandbox()
            .start(
                spec(
                    "memory",
                    Output.KEPT,
                    Map.of(),
                    "node",
                    "-e",
                    "const all=[]; for(;;) all.push(Buffer.alloc(1<<20, 1))"));

    Ending ending = process.exit().get(30, TimeUnit.SECONDS);
    assertThat(ending.outOfMemory()).as("%s", process.lastOutput(20)).isTrue();
    assertThat(ending.status()).isEqualTo(137);
  }

  @Test
  void whatAProgramTakesIsTold() {
    SandboxedProcess process =
        level
            .sandbox()
            .start(spec("usage", Output.KEPT, Map.of(), "sh", "-c", "while :; do :; done"));

    await(() -> process.usage().cpuNanos() > Duration.ofMillis(300).toNanos());
    assertThat(process.usage().memoryBytes()).isBetween(100L << 10, 200L << 20);
    process.stop(Duration.ZERO);
  }

  @Test
  void theRunsGroupIsGoneWhenItHasEnded() throws Exception {
    SandboxedProcess process = level.sandbox().start(spec("group", Output.KEPT, Map.of(), "true"));
    process.exit().get(30, TimeUnit.SECONDS);

    assertThat(new RunFiles(runs.resolve("group")).cgroup().directories())
        .allMatch(directory -> !Files.exists(directory));
  }

  @Test
  void aSupervisorWhoseDirectoryWasTakenAwayStartsNothing() throws Exception {
    Path marker = home.resolve("marker");
    Process supervisor =
        new ProcessBuilder(
                "/bin/sh",
                new Scripts(home).supervisor().toString(),
                runs.resolve("gone").toString(),
                "piped",
                "1000",
                "touch",
                marker.toString())
            .start();

    assertThat(supervisor.waitFor()).isNotZero();
    assertThat(marker).doesNotExist();
  }

  @Test
  void aKilledSupervisorTakesItsProgramAlong() throws Exception {
    SandboxedProcess process =
        level.sandbox().start(spec("orphan", Output.KEPT, Map.of(), "sleep", "64"));
    List<ProcessIdentity> all =
        process.pids().stream().flatMap(pid -> ProcessIdentity.of(pid).stream()).toList();
    new RunFiles(runs.resolve("orphan")).identity().orElseThrow().kill();

    assertThat(process.exit().get(30, TimeUnit.SECONDS)).isEqualTo(Ending.UNKNOWN);
    if (level.sandbox().memoryLimit()) {
      // A process leaves its group a moment before the kernel says that it has ended.
      assertThat(all).isNotEmpty();
      await(() -> all.stream().noneMatch(ProcessIdentity::alive));
    }
  }

  @Test
  void whatIsNotTheProgramsOwnIsOutOfReach() throws Exception {
    Path other = Files.writeString(home.resolve("other"), "secret of another");
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-------"));
    SandboxedProcess process =
        level
            .sandbox()
            .start(
                spec(
                    "curious",
                    Output.PIPED,
                    Map.of(),
                    "sh",
                    "-c",
                    "cat \"$0\" 2>&1; id -u",
                    other.toString()));
    String seen = read(process);

    boolean apart =
        Commands.root()
            ? !level.toString().startsWith("no own user")
            : !level.toString().contains("no namespaces");
    assertThat(seen.contains("secret of another")).isEqualTo(!apart);
    if (Commands.root() && apart) {
      assertThat(seen).endsWith(UID + "\n");
    }
  }

  @Test
  void underBubblewrapAProgramHasNoRightsAndGetsNoneBack() throws Exception {
    assumeTrue(level.toString().contains("bubblewrap"), "promised for bubblewrap only");
    SandboxedProcess process =
        level
            .sandbox()
            .start(
                spec(
                    "rights",
                    Output.PIPED,
                    Map.of(),
                    "sh",
                    "-c",
                    "grep -E '^(Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs):' /proc/self/status;"
                        + " unshare -U true 2>/dev/null && echo namespace made;"
                        + " touch /usr/x /etc/x 2>/dev/null && echo system written;"
                        + " ls -d /root /var 2>/dev/null; ls /proc | grep -c '^[0-9]'"));
    String seen = read(process);

    assertThat(seen.lines().filter(line -> line.startsWith("Cap")))
        .hasSize(4)
        .allMatch(line -> line.endsWith("0000000000000000"));
    assertThat(seen).contains("NoNewPrivs:\t1").doesNotContain("made", "written", "/root", "/var");
    assertThat(Integer.parseInt(seen.strip().lines().toList().getLast())).isLessThan(6);
  }

  @Test
  void commandsRunOneAfterTheOtherUntilOneFails() throws Exception {
    List<List<String>> commands =
        List.of(
            List.of("printf", "%s|", "a b", "$HOME", "\"'", "*", "", "6", "7", "8", "9", "10"),
            List.of("true"),
            List.of("sh", "-c", "echo last; exit 7"));

    SandboxedProcess all = level.sandbox().start(spec("all", "", commands, List.of(), tree));
    assertThat(read(all)).isEqualTo("a b|$HOME|\"'|*||6|7|8|9|10|last\n");
    assertThat(all.exit().get(30, TimeUnit.SECONDS).status()).isEqualTo(7);

    List<List<String>> failing =
        List.of(List.of("sh", "-c", "exit 5"), List.of("echo", "not reached"));
    SandboxedProcess first = level.sandbox().start(spec("first", "", failing, List.of(), tree));
    assertThat(read(first)).isEmpty();
    assertThat(first.exit().get(30, TimeUnit.SECONDS).status()).isEqualTo(5);
  }

  @Test
  void layersAreSeenAsOneAndProgramsOfTheAppAreFoundFirst() throws Exception {
    Path upper = Files.createDirectories(home.resolve("upper"));
    Path bin = Files.createDirectories(tree.resolve("tools/bin"));
    Files.createDirectories(upper.resolve("web"));
    Files.writeString(
        bin.resolve("cat"), "#!/bin/sh\nread line <../given.txt\necho \"own $line\"\n");
    Files.setPosixFilePermissions(bin.resolve("cat"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(upper.resolve("given.txt"), "from above\n");

    SandboxedProcess process =
        level
            .sandbox()
            .start(
                spec("layers", "web", List.of(List.of("cat")), List.of("tools/bin"), upper, tree));

    assertThat(read(process)).isEqualTo("own from above\n");
  }

  @Test
  void oneThatFailsForWantOfProcessesIsKnown() throws Exception {
    assumeTrue(level.sandbox().memoryLimit(), "this host bounds no processes");
    SandboxedProcess process =
        level
            .sandbox()
            .start(
                spec(
                    "forks",
                    Output.KEPT,
                    Map.of(),
                    "sh",
                    "-c",
                    "while sleep 60 & do :; done; exit 1"));

    Ending ending = process.exit().get(30, TimeUnit.SECONDS);

    assertThat(ending.outOfProcesses()).isTrue();
    assertThat(ending.outOfMemory()).isFalse();
  }

  @Test
  void aNetworkOfItsOwnLeadsOutOfTheHostAndNotIntoIt() throws Exception {
    assumeTrue(level.sandbox().whyShared().isEmpty(), "programs share the host's network");
    String look =
        "grep -c '^tap0.00000000' /proc/net/route; cat /etc/resolv.conf;"
            + " for host in 127.0.0.1 198.51.100.2; do"
            + " (exec 3<>/dev/tcp/$host/$PORT) 2>/dev/null && echo reached $host; done";
    try (ServerSocket port = new ServerSocket(0, 50, InetAddress.getByName("0.0.0.0"))) {
      Map<String, String> env = Map.of("PORT", Integer.toString(port.getLocalPort()));
      String shared =
          read(level.sandbox().start(spec("shared", Output.PIPED, env, "bash", "-c", look)));
      assertThat(shared).contains("reached 127.0.0.1");

      try (SandboxSpec.Network network = level.sandbox().outside(List.of())) {
        String own =
            read(
                level.sandbox().start(spec("own", Output.PIPED, env, network, "bash", "-c", look)));
        assertThat(own).startsWith("1\nnameserver 198.51.100.3\n").doesNotContain("reached");
      }
    }
  }

  @Test
  void aNetworkOfItsOwnLeadsToThePlacesOfTheHostThatItIsGivenAndToNoOther() throws Exception {
    assumeTrue(level.sandbox().whyShared().isEmpty(), "programs share the host's network");
    try (Greeter given = new Greeter();
        Greeter other = new Greeter()) {
      Map<String, String> env =
          Map.of(
              "GIVEN", Integer.toString(given.port()),
              "OTHER", Integer.toString(other.port()),
              "OWN", ownAddress());
      List<InetSocketAddress> reached =
          List.of(
              InetSocketAddress.createUnresolved("localhost", given.port()),
              InetSocketAddress.createUnresolved("nowhere.invalid", other.port()));
      try (SandboxSpec.Network network = level.sandbox().outside(reached)) {
        String said = read(level.sandbox().start(spec("doors", Output.PIPED, env, network, LOOK)));
        assertThat(said).isEqualTo("127.0.0.1 GIVEN: hello you\n");
      }
      reached = List.of(InetSocketAddress.createUnresolved(ownAddress(), given.port()));
      try (SandboxSpec.Network network = level.sandbox().outside(reached)) {
        String said = read(level.sandbox().start(spec("own", Output.PIPED, env, network, LOOK)));
        assertThat(said).isEqualTo(ownAddress() + " GIVEN: hello you\n");
      }
    }
  }

  /** Also by the device itself, which the routes say nothing about. */
  private static final String[] LOOK = {
    "bash",
    "-c",
    """
    for host in 127.0.0.1 $OWN 198.51.100.2 198.51.100.3; do
      for port in GIVEN OTHER; do
        (exec 2>/dev/null 3<>/dev/tcp/$host/${!port} && echo you >&3 && echo "$host $port: $(cat <&3)")
      done
    done
    command -v python3 >/dev/null && exec python3 -c '
    import os, socket
    for host in (os.environ["OWN"], "198.51.100.2"):
      for port in ("GIVEN", "OTHER"):
        with socket.socket() as device:
          device.settimeout(1)
          try:
            device.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"tap0")
            device.connect((host, int(os.environ[port])))
            print(host, port, "by the device")
          except OSError:
            pass
    '
    true
    """
  };

  /** One that the host has beside the loopback ones; else one of those. */
  private static String ownAddress() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .findFirst()
        .orElse("127.0.0.2");
  }

  /** Listens on all addresses of the host and says hello to everybody who gives a name. */
  private static final class Greeter implements AutoCloseable {
    private final ServerSocket listening =
        new ServerSocket(0, 50, InetAddress.getByName("0.0.0.0"));

    Greeter() throws IOException {
      Thread.ofVirtual().start(this::greetAll);
    }

    int port() {
      return listening.getLocalPort();
    }

    private void greetAll() {
      while (!listening.isClosed()) {
        try (Socket guest = listening.accept()) {
          byte[] name = new byte[3];
          guest.getInputStream().readNBytes(name, 0, name.length);
          guest.getOutputStream().write("hello ".getBytes(StandardCharsets.UTF_8));
          guest.getOutputStream().write(name);
        } catch (IOException e) {
          // the guest is gone, or this is closed
        }
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
    }
  }

  private SandboxSpec spec(String name, Output output, Map<String, String> env, String... argv) {
    return spec(name, output, env, SandboxSpec.Network.HOST, argv);
  }

  private SandboxSpec spec(
      String name,
      Output output,
      Map<String, String> env,
      SandboxSpec.Network network,
      String... argv) {
    return new SandboxSpec(
        name,
        runs.resolve(name),
        "",
        List.of(List.of(argv)),
        env,
        List.of(),
        new SandboxSpec.Files.CopyOnWrite(List.of(tree), home.resolve("scratch-" + name)),
        List.of(),
        UID,
        new Limits(128, 1, 64),
        network,
        output);
  }

  private SandboxSpec spec(
      String name,
      String directory,
      List<List<String>> commands,
      List<String> path,
      Path... layers) {
    return new SandboxSpec(
        name,
        runs.resolve(name),
        directory,
        commands,
        Map.of(),
        path,
        new SandboxSpec.Files.CopyOnWrite(List.of(layers), home.resolve("scratch-" + name)),
        List.of(),
        UID,
        new Limits(128, 1, 64),
        SandboxSpec.Network.HOST,
        Output.PIPED);
  }

  private static String read(SandboxedProcess process) throws IOException {
    try (InputStream in = process.output().orElseThrow()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Map<String, String> without(Map<String, String> env, String... names) {
    return env.entrySet().stream()
        .filter(entry -> !List.of(names).contains(entry.getKey()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static List<String> commandLines() {
    List<String> lines = new ArrayList<>();
    for (ProcessStat process : ProcessStat.all()) {
      try {
        lines.add(
            Files.readString(
                Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1));
      } catch (IOException gone) {
        // it has ended meanwhile
      }
    }
    return lines;
  }

  private static void await(BooleanSupplier condition) {
    assertThat(Waiting.until(Duration.ofSeconds(30), condition)).isTrue();
  }

  private static Path temporary() {
    try {
      Path directory = Files.createTempDirectory("sandbox-test").toRealPath();
      // Without namespaces a program with a user of its own must get through it.
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
