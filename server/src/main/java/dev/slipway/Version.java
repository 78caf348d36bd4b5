package dev.slipway;

import dev.slipway.api.ClassPath;
import java.nio.charset.StandardCharsets;

/** Which version this program is; the build writes it down. */
final class Version {
  private static final String RESOURCE = "/dev/slipway/version.txt";

  private Version() {}

  static String current() {
    return new String(ClassPath.read(RESOURCE), StandardCharsets.UTF_8).strip();
  }
}
