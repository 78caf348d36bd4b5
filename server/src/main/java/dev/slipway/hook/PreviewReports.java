package dev.slipway.hook;

import dev.slipway.core.PreviewId;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Who knows how previews of pull requests are doing. Every call runs in the caller's transaction.
 */
public interface PreviewReports {
  /** Empty where the preview is unknown, or its project is deleted: then nobody is told. */
  Optional<PreviewReport> report(Handle tx, PreviewId id);

  /** Keeps which comment tells of the preview. */
  void commented(Handle tx, PreviewId id, String commentId);
}
