package dev.slipway.preview;

import dev.slipway.core.PreviewId;
import org.jdbi.v3.core.Handle;

/** Told of each move of a preview in the very transaction that makes it. */
public interface PreviewListener {
  void moved(Handle tx, PreviewId id);
}
