package dev.slipway.source.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;

/** Where one repository keeps its large files (Git LFS). Blocks on the network or disk. */
interface LargeFiles {
  /**
   * Puts each file, checked against its pointer, into a directory under its {@code oid}.
   *
   * @return why, for each that cannot be had however often one tries: part of a sentence
   * @throws IOException where another time may be better
   */
  Map<LfsPointer, String> download(Collection<LfsPointer> wanted, Path directory)
      throws IOException;
}
