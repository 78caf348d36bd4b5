package dev.slipway.framework.hosts;

import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.Overrides;
import java.util.List;

/**
 * What holds for an application after all files have been read.
 *
 * @param overrides what was given, and where nothing was given what the files say
 * @param findings what came from which file, and what of the files has no effect here
 */
public record Settled(Overrides overrides, List<Finding> findings) {
  public Settled {
    findings = List.copyOf(findings);
  }

  /** Of the application, from the repository's root; empty for that root. */
  public String directory() {
    return Directories.given(overrides.rootDirectory());
  }
}
