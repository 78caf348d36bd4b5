package dev.slipway.release;

import dev.slipway.core.ProjectId;
import dev.slipway.core.Serving;
import java.util.List;

/**
 * What is kept of a release beside its files: how it answers requests.
 *
 * @param tools the exact versions that its program needs, for example {@code node@22.12.0}
 */
public record ReleaseRecord(
    Release release, ProjectId projectId, String framework, Serving serving, List<String> tools) {
  public ReleaseRecord {
    tools = List.copyOf(tools);
  }
}
