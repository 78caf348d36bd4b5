package dev.slipway.build;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** A SHA-256 of many values that keeps apart what stands next to each other. */
final class Digest {
  private final MessageDigest sha256;

  Digest() {
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  Digest add(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    sha256.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
    sha256.update(bytes);
    return this;
  }

  Digest add(Collection<String> values) {
    add(Integer.toString(values.size()));
    values.forEach(this::add);
    return this;
  }

  /** Whatever order the map has. */
  Digest add(Map<String, String> values) {
    add(Integer.toString(values.size()));
    new TreeMap<>(values).forEach((name, value) -> add(name).add(value));
    return this;
  }

  Digest addContent(Path file) throws IOException {
    add(Long.toString(Files.size(file)));
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        sha256.update(buffer, 0, read);
      }
    }
    return this;
  }

  /** 64 hexadecimal digits; once. */
  String hex() {
    return HexFormat.of().formatHex(sha256.digest());
  }
}
