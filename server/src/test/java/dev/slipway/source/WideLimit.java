package dev.slipway.source;

import java.nio.file.Path;

/** A limit that nothing meets, for tests of something else. */
public final class WideLimit {
  private WideLimit() {}

  public static FetchLimit below(Path directory) {
    return new FetchLimit(directory.resolve("scratch"), Long.MAX_VALUE, 0);
  }
}
