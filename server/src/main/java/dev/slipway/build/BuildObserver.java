package dev.slipway.build;

import dev.slipway.source.Commit;

/**
 * Learns how a build goes, as it does. Called on the build's thread, never with that thread
 * interrupted; what a call throws ends the build.
 */
public interface BuildObserver {
  /** The commit that is built, once it is known. */
  void resolved(Commit commit);

  /**
   * @param framework the value of the API field {@code framework}
   */
  void detected(String framework);

  /**
   * @param name for example {@code install}; steps run one at a time, each name once
   */
  void stepStarted(String name);

  /** Comes for every step that was started, unless this server ends. */
  void stepEnded(String name, boolean succeeded);
}
