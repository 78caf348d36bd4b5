package dev.slipway.release;

import dev.slipway.coding.Coding;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a release holds below one of its directories, for whoever serves it. Paths and targets of
 * links are relative to that directory, in the text form of {@link dev.slipway.core.RawPath}.
 */
public record ReleaseFiles(List<Content> contents, List<Link> links) {
  public ReleaseFiles {
    contents = List.copyOf(contents);
    links = List.copyOf(links);
  }

  /**
   * A regular file.
   *
   * @param hash of its content: SHA-256, hexadecimal
   * @param plain where it lies as it is
   * @param coded where it lies compressed; only what is smaller than the file
   */
  public record Content(String path, String hash, Stored plain, Map<Coding, Stored> coded) {
    public Content {
      coded = Map.copyOf(coded);
    }
  }

  /** A symbolic link, not followed. */
  public record Link(String path, String target) {}

  /** Bytes on the disk, never written to; deleted some time after the release is. */
  public record Stored(Path path, long bytes) {}
}
