package dev.slipway.upload;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much may come in.
 *
 * @param maxBytes of one archive
 * @param maxUnusedBytes of all archives of one account that nothing is deployed from
 * @param minFreeBytes that the disk of {@code directory} must have left
 */
public record UploadRoom(Path directory, long maxBytes, long maxUnusedBytes, long minFreeBytes) {
  /**
   * @throws RequestException {@code PAYLOAD_TOO_LARGE}
   */
  void requireSize(long bytes) {
    if (bytes > maxBytes) {
      throw new RequestException(
          ErrorCode.PAYLOAD_TOO_LARGE,
          "The archive is larger than the %,d MiB that limits.upload_bytes allows. Leave out what is made again, such as node_modules."
              .formatted(maxBytes >> 20));
    }
  }

  /**
   * @param bytes that are about to be written
   * @throws RequestException {@code UNAVAILABLE} where too little would be left
   */
  void requireDisk(long bytes) {
    try {
      if (Files.getFileStore(directory).getUsableSpace() - bytes < minFreeBytes) {
        throw new RequestException(
            ErrorCode.UNAVAILABLE,
            "The disk of the server has too little space left for the archive (limits.disk_free_min). Delete projects, or give the server a larger disk.");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("asking for free space of " + directory + " failed", e);
    }
  }
}
