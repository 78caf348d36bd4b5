package dev.slipway.recovery;

import java.util.regex.Pattern;

/** Where things are in an archive: the manifest first, the checksum last. */
final class Layout {
  static final String MANIFEST = "manifest.json";
  static final String CHECKSUM = "checksum";
  static final String KEY = "keys/master.json";

  /** What lies below the data directory lies below this. */
  static final String DATA = "data/";

  static final String OBJECTS = DATA + "releases/objects/";

  private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]*";

  /** Whatever else an archive holds is not ours: nothing of it reaches the disk. */
  private static final Pattern UNPACKED =
      Pattern.compile(
          "keys/master\\.json|store/[a-z0-9_]+\\.copy\\.gz|data/worker"
              + "|data/(releases/(objects|manifests|variants)|uploads|backups)(/%s){1,4}"
                  .formatted(NAME));

  private Layout() {}

  /** The rows of a table, compressed. */
  static String rows(String table) {
    return "store/%s.copy.gz".formatted(table);
  }

  /** Whether a file of this name may be unpacked. It leads out of no folder. */
  static boolean isUnpacked(String name) {
    return UNPACKED.matcher(name).matches();
  }
}
