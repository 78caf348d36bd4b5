package dev.slipway.release;

import dev.slipway.core.ReleaseId;
import java.nio.file.Path;
import java.time.Clock;

/** A program of its own that packs one release, to be killed while it does. */
final class PackingServer {
  private PackingServer() {}

  /**
   * @param arguments store, release, directory
   */
  public static void main(String[] arguments) {
    new ReleaseStore(Path.of(arguments[0]), Clock.systemUTC())
        .pack(new ReleaseId(arguments[1]), Path.of(arguments[2]));
  }
}
