package dev.slipway.bench;

import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * What the edge lets through beside nginx, HAProxy and Caddy, before the same program; and how it
 * answers with files beside nginx with the same ones. All are asked in turn, so that the machine's
 * other work slows all. Ends all that it started.
 */
public final class EdgeBench {
  private static final List<Integer> SIZES = List.of(1 << 10, 100 << 10);
  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final Duration SHORT_WARM_UP = Duration.ofSeconds(1);
  private static final Duration ROUND = Duration.ofSeconds(3);
  private static final int ROUNDS = 5;
  private static final String EDGE = "slipway";
  private static final String LOGGING = EDGE + ", logging";

  private final Path work;
  private final Path files;
  private final List<Process> programs = new ArrayList<>();
  private final Map<Rival, Integer> rivals = new EnumMap<>(Rival.class);
  private int edgePort;
  private int loggingPort;

  private EdgeBench(Path work) throws IOException {
    this.work = work;
    this.files = Files.createDirectory(work.resolve("files"));
  }

  /**
   * @param arguments none
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory("slipway-bench");
    Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
    EdgeBench bench = new EdgeBench(work);
    try {
      bench.start();
      bench.measure();
    } finally {
      bench.programs.reversed().forEach(Program::end);
      Trees.delete(work);
    }
  }

  private void start() throws IOException {
    Path tree = Files.createDirectory(work.resolve("tree")); // Becomes a release, and is gone then.
    Path otherTree = Files.createDirectory(work.resolve("other-tree"));
    Random random = new Random(1);
    for (int bytes : SIZES) {
      byte[] content = new byte[bytes];
      random.nextBytes(content);
      Files.write(files.resolve("f" + bytes), content);
      Files.write(tree.resolve("f" + bytes), content);
      Files.write(otherTree.resolve("f" + bytes), content);
    }
    int program = FreePort.find();
    run("program", Rival.NGINX, Rival.program(program, files), program);
    for (Rival rival : Rival.values()) {
      int port = FreePort.find();
      run(rival.name(), rival, rival.settings(port, program, files), port);
      rivals.put(rival, port);
    }
    edgePort = FreePort.find();
    run(EDGE, work, edge(edgePort, program, tree, "releases"), edgePort);
    loggingPort = FreePort.find();
    List<String> logging = new ArrayList<>(edge(loggingPort, program, otherTree, "other-releases"));
    logging.add(work.resolve("access-log").toString());
    run(LOGGING, work, logging, loggingPort);
  }

  /** With the options of the built program. */
  private List<String> edge(int port, int program, Path tree, String releases) {
    return List.of(
        ProcessHandle.current().info().command().orElse("java"),
        "-XX:+UseSerialGC",
        "-Dio.netty.allocator.type=pooled",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        System.getProperty("java.class.path"),
        BareEdge.class.getName(),
        String.valueOf(port),
        String.valueOf(program),
        tree.toString(),
        work.resolve(releases).toString());
  }

  private void run(String name, Rival rival, String settings, int port) throws IOException {
    Path home = Files.createDirectory(work.resolve(name));
    Files.writeString(home.resolve(rival.file()), settings);
    run(name, home, rival.command(), port);
  }

  /** Returns when it answers. */
  private void run(String name, Path directory, List<String> command, int port) {
    Process started =
        Program.start(
            directory,
            work.resolve(name + ".log").toFile(),
            Map.of("PATH", System.getenv("PATH") + ":/usr/sbin", "HOME", work.toString()),
            command);
    programs.add(started);
    Waits.untilAnswers(port, "/f" + SIZES.getFirst(), started);
  }

  private int port(Rival rival) {
    return Objects.requireNonNull(rivals.get(rival));
  }

  private void measure() throws IOException, InterruptedException {
    for (int bytes : SIZES) {
      String file = "f" + bytes;
      String size = bytes / 1024 + " KiB";
      List<Contender> proxies = new ArrayList<>();
      rivals.forEach((rival, port) ->
          proxies.add(new Contender(rival.title(), new Wrk(port, BareEdge.PROGRAM, "/" + file))));
      proxies.add(new Contender(LOGGING, new Wrk(loggingPort, BareEdge.PROGRAM, "/" + file)));
      proxies.add(new Contender(EDGE, new Wrk(edgePort, BareEdge.PROGRAM, "/" + file)));
      compare("passed on, " + size, proxies);
      compare(
          "from files, " + size,
          List.of(
              new Contender(
                  Rival.NGINX.title(), new Wrk(port(Rival.NGINX), BareEdge.SITE, "/files/" + file)),
              new Contender(LOGGING, new Wrk(loggingPort, BareEdge.SITE, "/" + file)),
              new Contender(EDGE, new Wrk(edgePort, BareEdge.SITE, "/" + file))));
    }
  }

  /**
   * @param contenders ours is the last
   */
  private static void compare(String what, List<Contender> contenders)
      throws IOException, InterruptedException {
    for (Contender contender : contenders) {
      contender.wrk.run(contender.name.startsWith(EDGE) ? WARM_UP : SHORT_WARM_UP);
    }
    for (int i = 0; i < ROUNDS; i++) {
      for (Contender contender : contenders) {
        contender.reports.add(contender.wrk.run(ROUND));
      }
    }
    System.out.printf("%n%-24s %12s %12s   %s%n", what, "answers/s", "p99", "slipway/it");
    double ours = contenders.getLast().perSecond();
    for (Contender it : contenders) {
      System.out.printf(
          "%-24s %12.0f %9.2f ms   %.2f%n",
          it.name, it.perSecond(), it.p99Millis(), ours / it.perSecond());
    }
  }

  /** One of those compared, and what it has reached; the medians of the rounds count. */
  private record Contender(String name, Wrk wrk, List<Wrk.Report> reports) {
    Contender(String name, Wrk wrk) {
      this(name, wrk, new ArrayList<>());
    }

    double perSecond() {
      return median(Wrk.Report::perSecond);
    }

    double p99Millis() {
      return median(Wrk.Report::p99Millis);
    }

    private double median(ToDoubleFunction<Wrk.Report> value) {
      double[] values = reports.stream().mapToDouble(value).sorted().toArray();
      return values[values.length / 2];
    }
  }
}
