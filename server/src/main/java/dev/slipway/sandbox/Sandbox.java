package dev.slipway.sandbox;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs programs that we do not trust.
 *
 * <p>Each has a supervisor, a shell script in a session of its own, that outlives this server and
 * writes down what must be known of the program. Thread-safe; calls block for some milliseconds.
 */
public final class Sandbox {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}");

  /** A ring of output holds two to three files of this size. */
  static final int OUTPUT_FILE_BYTES = 3 << 20;

  private final Isolation isolation;
  private final Cgroups cgroups;
  private final Scripts scripts;
  private final Toolchain toolchain;
  private final CompletableFuture<WayOut> wayOut;

  Sandbox(
      Isolation isolation,
      Cgroups cgroups,
      Scripts scripts,
      Toolchain toolchain,
      CompletableFuture<WayOut> wayOut) {
    this.isolation = isolation;
    this.cgroups = cgroups;
    this.scripts = scripts;
    this.toolchain = toolchain;
    this.wayOut = wayOut;
  }

  /**
   * The strongest that works on this host, found out by trying; takes up to a second.
   *
   * @param dataDir the server's own directory, which programs shall not see; made if absent
   * @throws IllegalStateException where not even a plain process can be started
   */
  public static Sandbox strongest(Path dataDir) {
    return new Probe(dataDir)
        .working()
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no program can be started on this host"));
  }

  /** All that work on this host, the strongest first; each is tried when the stream gets there. */
  public static Stream<Sandbox> available(Path dataDir) {
    return new Probe(dataDir).working();
  }

  /** The level of isolation and limits in words, for the operator. */
  public String isolation() {
    String network =
        whyShared().isEmpty() ? "builds apart from the host's network" : "network shared";
    return String.join(", ", isolation.describe(), network, cgroups.describe());
  }

  /** What that keeps apart. May wait for some seconds after the start. */
  public Protection protection() {
    return new Protection(
        isolation.ownUser(),
        isolation.ownProcesses(),
        isolation.ownFiles(),
        cgroups.limits(),
        whyShared());
  }

  /** Why {@link #outside} has none to give, and what to do about it; empty where it has. */
  public Optional<String> whyShared() {
    if (!isolation.ownNetwork()) {
      return Optional.of("install bubblewrap");
    }
    WayOut found = wayOut.join();
    return found.slirp().isPresent() ? Optional.empty() : Optional.of(found.missing());
  }

  /**
   * A new network for programs that shall reach what is outside of this host, by IPv4, and nothing
   * of the host itself; the host's own where that is not possible. Blocks for some milliseconds.
   *
   * @param reached by name or address: what of it is on this host can be reached all the same, at
   *     the very same addresses, and no other port of them. Asks for names, so may block longer
   */
  public SandboxSpec.Network outside(List<InetSocketAddress> reached) {
    return whyShared().isEmpty() ? wayOut.join().open(reached) : SandboxSpec.Network.HOST;
  }

  /**
   * Whether {@link SandboxSpec.Files.CopyOnWrite} is an overlay; otherwise its layers are copied.
   */
  public boolean overlays() {
    return isolation.overlay();
  }

  /** Whether memory is bounded by the kernel. */
  public boolean memoryLimit() {
    return cgroups.limits();
  }

  /**
   * Starts a program and returns when it is being executed.
   *
   * @throws AppFailure with {@code START_FAILED} if there is no such program or it may not be run
   * @throws IllegalStateException if the host refuses what it allowed when it was tried
   */
  public SandboxedProcess start(SandboxSpec spec) {
    if (spec.commands().isEmpty()
        || spec.commands().stream().anyMatch(List::isEmpty)
        || !NAME.matcher(spec.name()).matches()) {
      throw new IllegalArgumentException("no program, or no name for a cgroup: " + spec.name());
    }
    Cgroup cgroup = cgroups.create(spec.name(), spec.limits());
    try {
      Furnishing furnishing = new Furnishing(toolchain, Commands.root());
      return started(spec, furnishing.furnish(spec, isolation, cgroup));
    } catch (IOException e) {
      cgroup.end();
      throw new UncheckedIOException("starting " + spec.name() + " failed", e);
    } catch (RuntimeException e) {
      cgroup.end();
      throw e;
    }
  }

  /**
   * The run in this directory, by whatever server it was started: it may still run, or have ended.
   * Empty where none has begun.
   */
  public Optional<SandboxedProcess> find(Path runDirectory) {
    RunFiles files = new RunFiles(runDirectory);
    return files.identity().map(identity -> SandboxedProcess.found(files, identity));
  }

  /**
   * Ends the runs in all directories of {@code parent} but those that are named in {@code keep},
   * also those that have only just begun, and deletes their directories.
   *
   * @param parent of run directories and nothing else; need not exist
   * @param keep names of directories
   */
  public void endLeftovers(Path parent, Set<String> keep) {
    if (!Files.isDirectory(parent)) {
      return;
    }
    try (Stream<Path> directories = Files.list(parent)) {
      directories
          .filter(directory -> !keep.contains(directory.getFileName().toString()))
          .forEach(Leftover::end);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + parent + " failed", e);
    }
  }

  /** Ends what runs in this directory, also if it has only just begun, and deletes it. */
  public void end(Path runDirectory) {
    Leftover.end(runDirectory);
  }

  private SandboxedProcess started(SandboxSpec spec, Room room) throws IOException {
    Isolation.Places places = isolation.places(room);
    byte[] environment = EnvironmentText.of(environment(spec, places));
    Process process = supervisor(spec, room, places).start();
    boolean confirmed = false;
    try {
      String answer = handOver(process, environment, spec.output());
      RunFiles files = new RunFiles(room.run());
      ProcessIdentity identity =
          files
              .identity()
              .filter(found -> found.pid() == process.pid())
              .orElseThrow(() -> failed(spec, files, answer, process));
      if (answer.equals("refused")) {
        throw refused(spec);
      }
      if (!answer.equals("started")) {
        throw failed(spec, files, answer, process);
      }
      confirmed = true;
      return SandboxedProcess.started(files, identity, process);
    } finally {
      if (!confirmed) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }

  private ProcessBuilder supervisor(SandboxSpec spec, Room room, Isolation.Places places) {
    List<String> argv = new ArrayList<>();
    argv.add(Commands.find("setsid").orElse("setsid"));
    argv.addAll(List.of("/bin/sh", scripts.supervisor().toString(), room.run().toString()));
    argv.add(spec.output().wireName());
    argv.add(Integer.toString(OUTPUT_FILE_BYTES));
    argv.addAll(isolation.enter(room));
    argv.addAll(List.of("/bin/sh", "-c", Scripts.launch(), "launch"));
    argv.add(spec.output().wireName());
    argv.add(place(spec.directory(), places));
    for (List<String> command : spec.commands()) {
      argv.add(Integer.toString(command.size()));
      argv.addAll(command);
    }
    ProcessBuilder builder = new ProcessBuilder(argv).directory(Path.of("/").toFile());
    Commands.clearEnvironment(builder);
    if (spec.output() == SandboxSpec.Output.KEPT) {
      builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }
    return builder;
  }

  /** Gives the environment to the program's launcher and answers its word, empty for none. */
  private static String handOver(Process process, byte[] environment, SandboxSpec.Output output)
      throws IOException {
    // What follows in these two streams is the program's own, where they stay open.
    boolean connected = output == SandboxSpec.Output.CONNECTED;
    try {
      OutputStream out = process.getOutputStream();
      out.write(environment);
      out.flush();
      if (!connected) {
        out.close();
      }
    } catch (IOException supervisorGone) {
      return "";
    }
    String answer = line(process.getErrorStream());
    if (!connected) {
      process.getErrorStream().close();
    }
    return answer;
  }

  /** Takes no more than that from the stream. */
  private static String line(InputStream from) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = from.read(); next >= 0 && next != '\n'; next = from.read()) {
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private Map<String, String> environment(SandboxSpec spec, Isolation.Places places) {
    Map<String, String> env = new HashMap<>(spec.env());
    env.putIfAbsent("HOME", places.home());
    env.putIfAbsent("TMPDIR", places.tmp());
    env.putIfAbsent("LANG", "C.UTF-8");
    String path =
        Stream.concat(
                spec.path().stream().map(directory -> place(directory, places)),
                Stream.of(toolchain.path()))
            .collect(Collectors.joining(":"));
    env.merge("PATH", path, (theirs, ours) -> theirs + ":" + ours);
    return env;
  }

  /** A directory as the program sees it: what is not absolute is the app's. */
  private static String place(String directory, Isolation.Places places) {
    return Path.of(places.app()).resolve(directory).toString();
  }

  private static AppFailure refused(SandboxSpec spec) {
    return new AppFailure(
        FailureCode.START_FAILED,
        "The program %s cannot be started: there is no such file, or it is not executable."
            .formatted(spec.commands().getFirst().getFirst()));
  }

  /**
   * @param answer where a program is connected, what it or the sandbox complained of
   */
  private static IllegalStateException failed(
      SandboxSpec spec, RunFiles files, String answer, Process process) {
    process.destroy();
    Waiting.until(Duration.ofSeconds(1), () -> !process.isAlive());
    return new IllegalStateException(
        "the sandbox of %s did not start: %s %s %s"
            .formatted(
                spec.name(),
                files.complaints(),
                answer,
                String.join("\n", OutputTail.of(files.output(), 5))));
  }
}
