package dev.slipway.edge;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many files this process may have open, which is what bounds its connections. */
public final class OpenFiles {
  private static final long FOR_THE_REST = 1_024;
  private static final long LEAST = 100;
  private static final long MOST = 100_000;

  private OpenFiles() {}

  /** As many visitors as there is room for, where each is passed on by a connection of its own. */
  public static int connections() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? connections(unix.getMaxFileDescriptorCount())
        : Math.toIntExact(MOST);
  }

  static int connections(long files) {
    return Math.toIntExact(Math.clamp((files - FOR_THE_REST) / 2, LEAST, MOST));
  }
}
