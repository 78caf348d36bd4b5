package dev.slipway.source.zip;

import java.util.Optional;

/**
 * What kind of file an entry was on the machine that packed it; 0 where that machine did not say.
 */
record UnixMode(int value) {
  private static final int TYPE = 0170000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int LINK = 0120000;
  private static final int ANY_EXECUTE = 0111;

  /** Absent for devices, pipes and sockets. */
  Optional<Archive.Entry.Kind> kind() {
    return switch (value & TYPE) {
      case 0, REGULAR -> Optional.of(Archive.Entry.Kind.FILE);
      case DIRECTORY -> Optional.of(Archive.Entry.Kind.FOLDER);
      case LINK -> Optional.of(Archive.Entry.Kind.LINK);
      default -> Optional.empty();
    };
  }

  boolean isExecutable() {
    return (value & ANY_EXECUTE) != 0;
  }
}
