package dev.slipway.recovery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** Tells a master key from another one, and nothing of it: a key is 256 random bits. */
final class KeyDigest {
  private KeyDigest() {}

  static String of(Path keyFile) throws IOException {
    return HexFormat.of().formatHex(Checksum.sha256().digest(Files.readAllBytes(keyFile)));
  }
}
