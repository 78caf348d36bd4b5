package dev.slipway.source;

import java.nio.file.Path;

/**
 * The code of one deployment, wherever it comes from. Both calls may block for minutes; they honour
 * interruption, and throw {@link dev.slipway.core.AppFailure} with a sentence for the user.
 */
public interface Source {
  /** Which revision it is at this moment: the {@code sha} of a {@link Commit}. */
  String resolve();

  /**
   * Puts the files of exactly this revision into {@code directory}, which must not exist yet. The
   * directory appears complete or not at all.
   *
   * @param sha what {@link #resolve} answered
   */
  Checkout fetch(String sha, Path directory);
}
