package dev.slipway.site;

import dev.slipway.core.RawPath;
import java.io.ByteArrayOutputStream;
import java.util.Optional;

/**
 * The path of a request, decoded once.
 *
 * @param value names separated by single slashes, in the text form of {@link RawPath}; none of them
 *     leads anywhere but down; empty for the root
 * @param slash whether a slash stood at the end
 */
public record SitePath(String value, boolean slash) {
  private static final int HEX = 16;

  /**
   * @param uri path and query as they came
   * @return empty for what can be the name of no file: names that are empty, {@code .} or {@code
   *     ..}, or hold a slash, a backslash or NUL, however they were encoded
   */
  public static Optional<SitePath> of(String uri) {
    int query = uri.indexOf('?');
    String raw = query < 0 ? uri : uri.substring(0, query);
    if (!raw.startsWith("/")) {
      return Optional.empty();
    }
    boolean slash = raw.endsWith("/");
    if (raw.equals("/")) {
      return Optional.of(new SitePath("", slash));
    }
    StringBuilder path = new StringBuilder(raw.length());
    for (String name : raw.substring(1, raw.length() - (slash ? 1 : 0)).split("/", -1)) {
      Optional<byte[]> decoded = decoded(name);
      if (decoded.isEmpty()) {
        return Optional.empty();
      }
      path.append(path.isEmpty() ? "" : "/").append(RawPath.encode(decoded.get()));
    }
    return Optional.of(new SitePath(path.toString(), slash));
  }

  private static Optional<byte[]> decoded(String name) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(name.length());
    for (int i = 0; i < name.length(); i++) {
      int next = name.charAt(i);
      if (next == '%') {
        next = i + 2 < name.length() ? hex(name, i + 1) : -1;
        i += 2;
      }
      if (next <= 0 || next > 0xFF || next == '/' || next == '\\') {
        return Optional.empty();
      }
      bytes.write(next);
    }
    byte[] all = bytes.toByteArray();
    return isStep(all) ? Optional.empty() : Optional.of(all);
  }

  private static int hex(String text, int at) {
    int high = Character.digit(text.charAt(at), HEX);
    int low = Character.digit(text.charAt(at + 1), HEX);
    return high < 0 || low < 0 ? -1 : high * HEX + low;
  }

  /** No name at all, or one that says where to go: to the directory itself, or above it. */
  private static boolean isStep(byte[] name) {
    for (byte each : name) {
      if (each != '.') {
        return false;
      }
    }
    return name.length <= 2;
  }
}
