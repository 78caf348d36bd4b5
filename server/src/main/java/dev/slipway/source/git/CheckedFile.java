package dev.slipway.source.git;

import dev.slipway.source.FetchCount;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CancellationException;

/** Writes a large file while checking that it is the one that its pointer names. */
final class CheckedFile {
  private static final int CHUNK_BYTES = 64 << 10;

  private CheckedFile() {}

  /** Whether it was; where it was not, nothing is left of it. */
  static boolean write(InputStream content, LfsPointer expected, Path directory, FetchCount count)
      throws IOException {
    Path file = directory.resolve(expected.oid());
    MessageDigest digest = sha256();
    long bytes = 0;
    try (OutputStream out = Files.newOutputStream(file)) {
      byte[] chunk = new byte[CHUNK_BYTES];
      for (int read = content.read(chunk); read >= 0; read = content.read(chunk)) {
        if (Thread.currentThread().isInterrupted()) {
          throw new CancellationException("writing a large file was interrupted");
        }
        bytes += read;
        if (bytes > expected.size()) {
          break;
        }
        count.add(read);
        digest.update(chunk, 0, read);
        out.write(chunk, 0, read);
      }
    }
    if (bytes == expected.size()
        && HexFormat.of().formatHex(digest.digest()).equals(expected.oid())) {
      return true;
    }
    Files.delete(file);
    return false;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
