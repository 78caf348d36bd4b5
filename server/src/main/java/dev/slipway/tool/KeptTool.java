package dev.slipway.tool;

import java.time.Instant;

/**
 * A tool that was fetched.
 *
 * @param bytes on the disk, about
 * @param lastUsed when somebody asked for it, or was done with it
 */
public record KeptTool(String name, String version, long bytes, Instant lastUsed) {
  /** As {@link ProvidedTool#id}. */
  public String id() {
    return name + "@" + version;
  }
}
