package dev.slipway.build;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.runlog.RunLog;
import java.util.concurrent.CancellationException;

/**
 * Runs the steps of one build one after the other, and tells the log and the observer. A step that
 * was interrupted ends as that, whatever it threw: or it was the time limit, then the build failed.
 */
final class Timeline {
  private final BuildObserver observer;
  private final RunLog log;
  private final BuildConfig config;
  private final TimeLimit limit;

  Timeline(BuildObserver observer, RunLog log, BuildConfig config, TimeLimit limit) {
    this.observer = observer;
    this.log = log;
    this.config = config;
    this.limit = limit;
  }

  interface Work<T> {
    T run() throws InterruptedException;
  }

  /**
   * @throws AppFailure with {@code STEP_TIMEOUT} when the build's time is over
   * @throws InterruptedException if the thread is interrupted; its status is clear then
   */
  <T> T step(String name, Work<T> work) throws InterruptedException {
    if (Thread.interrupted()) {
      throw stopped(name, canceled(new InterruptedException("between two steps")));
    }
    observer.stepStarted(name);
    boolean succeeded = false;
    try {
      T result = log.step(name, () -> uninterrupted(work));
      succeeded = true;
      return result;
    } catch (CancellationException e) {
      throw stopped(name, e);
    } finally {
      observer.stepEnded(name, succeeded);
    }
  }

  private InterruptedException stopped(String name, CancellationException cause) {
    if (limit.expired()) {
      throw new AppFailure(
          FailureCode.STEP_TIMEOUT,
          "The build took longer than %d s (build.timeout) and was stopped in its step %s."
              .formatted(config.timeout().toSeconds(), name),
          cause);
    }
    InterruptedException interrupted = new InterruptedException("stopped in step " + name);
    interrupted.initCause(cause);
    return interrupted;
  }

  /** Leaves the thread's interrupt status clear: closing lines must still be written. */
  private static <T> T uninterrupted(Work<T> work) {
    try {
      return work.run();
    } catch (InterruptedException e) {
      throw canceled(e);
    } catch (RuntimeException e) {
      // Files and sockets report an interruption in their own ways.
      throw Thread.interrupted() ? canceled(e) : e;
    }
  }

  private static CancellationException canceled(Exception cause) {
    CancellationException canceled = new CancellationException("interrupted");
    canceled.initCause(cause);
    return canceled;
  }
}
