package dev.slipway.source.zip;

import dev.slipway.core.AppFailure;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of an entry, unpacked as they are read. What fails on the way is the archive's fault:
 * it says so, and not as a fault of the disk that is written to.
 */
record Content(Archive.Entry entry, InputStream in) implements AutoCloseable {
  static Content of(Archive archive, Archive.Entry entry) {
    try {
      return new Content(entry, archive.zip().getInputStream(entry.packed()));
    } catch (IOException | IllegalArgumentException e) {
      Archive.requireUninterrupted();
      throw damaged(entry);
    }
  }

  int read(byte[] buffer) {
    try {
      return in.read(buffer);
    } catch (IOException | IllegalArgumentException e) {
      Archive.requireUninterrupted();
      throw damaged(entry);
    }
  }

  static AppFailure damaged(Archive.Entry entry) {
    return Refused.entry(
        entry.name().toString(), "is damaged: it is not what the archive says that it is");
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
