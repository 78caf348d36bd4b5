package dev.slipway.recovery;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Of all that an archive holds, in its order: SHA-256. Not thread-safe. */
final class Checksum {
  private final MessageDigest digest = sha256();

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** What a file is; its bytes follow. */
  void begin(String name, long bytes, int mode, long modifiedSecond) {
    digest.update(
        "%s\n%d %o %d\n"
            .formatted(name, bytes, mode, modifiedSecond)
            .getBytes(StandardCharsets.UTF_8));
  }

  void update(byte[] bytes, int length) {
    digest.update(bytes, 0, length);
  }

  /** Hexadecimal, once all has been seen. */
  String value() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
