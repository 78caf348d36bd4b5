package dev.slipway.runtime;

import dev.slipway.core.InstanceId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * An engine that runs instances of releases.
 *
 * <p>Instances outlive this program: nothing here ends them but {@link #stop} and {@link #recover}.
 * Thread-safe; calls block for up to seconds. Where the engine itself does not answer they throw
 * {@link dev.slipway.core.TransientException}.
 */
public interface AppRuntime {
  /** What this engine can do on this host. */
  Capabilities capabilities();

  /**
   * Starts an instance and returns once its program exists, which is long before it answers. Called
   * again with the id of one that runs, also at the same time, it answers that one and starts
   * nothing.
   *
   * @throws dev.slipway.core.AppFailure with {@code START_FAILED} where the program cannot be
   *     executed
   */
  RunningInstance start(InstanceSpec spec);

  /**
   * Asks the program to end (SIGTERM), kills its whole process tree after {@code grace}, and
   * returns when nothing of it is left. Does nothing for an instance that is gone.
   */
  void stop(InstanceId id, Duration grace);

  /**
   * After a restart of this program: the instances among {@code known} that still run, the very
   * same processes. Whatever else an earlier run of ours left behind is ended.
   *
   * @param known what has a row; nothing else may go on running
   */
  Map<InstanceId, RunningInstance> recover(Set<InstanceId> known);

  /**
   * Completes with how the program ended, at once if it has; an instance that is not known is
   * reported as {@link Exit#UNKNOWN}. It never completes exceptionally.
   */
  CompletableFuture<Exit> exit(InstanceId id);

  /** The TCP ports that processes of this very instance listen on. */
  Set<Integer> ports(InstanceId id);

  /** What the processes of the instance take; empty where that cannot be told. */
  default Optional<Usage> usage(InstanceId id) {
    return Optional.empty();
  }

  /** The newest lines that the program printed, oldest first; kept until {@link #forget}. */
  List<String> output(InstanceId id, int maxLines);

  /**
   * What the program printed from a place on, counted in bytes from its start: later than asked for
   * where the older is not kept, empty where nothing is there yet. Kept until {@link #forget}.
   */
  Printed printed(InstanceId id, long from, int maxBytes);

  /** How much the program has printed since its start, in bytes. Kept until {@link #forget}. */
  long printedBytes(InstanceId id);

  /** Deletes what is kept of an instance that has ended: its output and exit status. */
  void forget(InstanceId id);
}
