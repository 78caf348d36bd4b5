package dev.slipway.sandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * A program in the sandbox, started by this server or by one before it. Thread-safe.
 *
 * <p>It has ended when its supervisor has, which ends last: then nothing of its tree is left and
 * how it ended is written down.
 */
public final class SandboxedProcess {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final Duration ORDERLY_WITHIN = Duration.ofMillis(200);
  private static final Duration KILLED_WITHIN = Duration.ofSeconds(10);

  private final RunFiles files;
  private final ProcessIdentity supervisor;
  private final Optional<Process> started;
  private final CompletableFuture<Ending> exit = new CompletableFuture<>();

  private SandboxedProcess(RunFiles files, ProcessIdentity supervisor, Optional<Process> started) {
    this.files = files;
    this.supervisor = supervisor;
    this.started = started;
    Thread.ofVirtual().name("exit of " + files.directory().getFileName()).start(this::awaitExit);
  }

  /** One whose supervisor this JVM has just started. */
  static SandboxedProcess started(RunFiles files, ProcessIdentity supervisor, Process process) {
    return new SandboxedProcess(files, supervisor, Optional.of(process));
  }

  /** One from before; it may have ended. */
  static SandboxedProcess found(RunFiles files, ProcessIdentity supervisor) {
    return new SandboxedProcess(files, supervisor, Optional.empty());
  }

  /**
   * What it prints, unless that is {@link SandboxSpec.Output#KEPT}, for the JVM that started it;
   * ends when all of its tree has. The caller reads it to the end.
   */
  public Optional<InputStream> output() {
    return started.map(Process::getInputStream);
  }

  /** What it reads; for {@link SandboxSpec.Output#CONNECTED} and the JVM that started it. */
  public Optional<OutputStream> input() {
    return started.map(Process::getOutputStream);
  }

  /**
   * What it complains about; for {@link SandboxSpec.Output#CONNECTED} and the JVM that started it.
   */
  public Optional<InputStream> errors() {
    return started.map(Process::getErrorStream);
  }

  public boolean alive() {
    return supervisor.alive();
  }

  /** How it ended; {@link Ending#UNKNOWN} where nobody saw it. Never completes exceptionally. */
  public CompletableFuture<Ending> exit() {
    return exit.copy();
  }

  /**
   * Asks the program to end (SIGTERM), kills its whole tree after {@code grace}, and returns when
   * nothing of it is left; at once if it has ended. An interruption shortens the grace to nothing.
   */
  public void stop(Duration grace) {
    if (!alive()) {
      awaitExit(KILLED_WITHIN);
      return;
    }
    Set<ProcessIdentity> tree = identities();
    if (grace.isPositive()) {
      program().flatMap(ProcessIdentity::of).ifPresent(ProcessIdentity::terminate);
      awaitExit(grace);
    }
    boolean interrupted = Thread.interrupted();
    kill(tree);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The processes of the program, as ids of the host, and those that keep it apart; not ours. */
  public Set<Long> pids() {
    Set<Long> group = files.cgroup().pids();
    return group.isEmpty() ? tree().map(ProcessTree::pids).orElse(Set.of()) : group;
  }

  /** What it takes. */
  public Usage usage() {
    return new UsageReader(files.cgroup(), pids()).read();
  }

  /** Whether the kernel bounds its memory and processes. */
  public boolean bounded() {
    return !files.cgroup().directories().isEmpty();
  }

  /** How often it was refused another process so far; 0 where the host has no limits. */
  public long refusedProcesses() {
    return files.cgroup().refusedProcesses();
  }

  /** The process of the program itself, as id of the host; empty once it has ended. */
  public Optional<Long> program() {
    return tree().flatMap(ProcessTree::program);
  }

  /**
   * The newest lines that it printed, oldest first, of the last MiB; for {@link
   * SandboxSpec.Output#KEPT}, also after its end until the run's directory is deleted.
   */
  public List<String> lastOutput(int lines) {
    return OutputTail.of(files.output(), lines);
  }

  /**
   * What it printed from a place on, counted in bytes from its start: later than asked for where
   * the older has been given up, empty where nothing is there yet. As long as {@link #lastOutput}.
   */
  public Piece printed(long from, int maxBytes) {
    return OutputRing.read(files.numberedOutput(), Sandbox.OUTPUT_FILE_BYTES, from, maxBytes);
  }

  /** How much it has printed since its start, in bytes. As long as {@link #lastOutput}. */
  public long printedBytes() {
    return OutputRing.end(files.numberedOutput(), Sandbox.OUTPUT_FILE_BYTES);
  }

  private Optional<ProcessTree> tree() {
    return supervisor.alive() ? files.child().map(ProcessTree::new) : Optional.empty();
  }

  /**
   * @param tree what belonged to it when it was asked to end: without a group or namespace, those
   *     who have lost their parent meanwhile are found by this alone
   */
  private void kill(Set<ProcessIdentity> tree) {
    // Itself first: what keeps it apart then ends in its own order and tells how it ended.
    program().flatMap(ProcessIdentity::of).ifPresent(ProcessIdentity::kill);
    awaitExit(ORDERLY_WITHIN);
    Waiting.until(
        KILLED_WITHIN,
        () -> {
          tree.addAll(identities());
          tree.forEach(ProcessIdentity::kill);
          return !supervisor.alive() && tree.stream().noneMatch(ProcessIdentity::alive);
        });
    supervisor.kill(); // only one that hangs is still there
    awaitExit(KILLED_WITHIN);
  }

  private Set<ProcessIdentity> identities() {
    return pids().stream()
        .flatMap(pid -> ProcessIdentity.of(pid).stream())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private void awaitExit(Duration limit) {
    try {
      exit.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException stillThere) {
      // the caller goes on to the next means
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Only a parent is told of an end at once; for others one has to look. */
  private void awaitExit() {
    try {
      if (started.isPresent()) {
        started.get().waitFor();
      } else {
        while (supervisor.alive()) {
          Thread.sleep(LOOK_EVERY);
        }
      }
      // A supervisor that was killed itself leaves a group behind.
      files.cgroup().end();
      exit.complete(files.ending().orElse(Ending.UNKNOWN));
    } catch (InterruptedException | RuntimeException e) {
      exit.complete(Ending.UNKNOWN);
    }
  }
}
