package dev.slipway.core;

import java.net.URI;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * File names as the system has them, bytes, in a text form that survives every encoding: all but
 * plain ASCII is percent-encoded. The JDK decodes names by the locale that it was started with and
 * refuses, or loses, those that are malformed there; as {@code file:} addresses they come through.
 */
public final class RawPath {
  private static final String PLAIN = "/._-~@+=,";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final Path ROOT = Path.of("/");

  private RawPath() {}

  /** The text form of a path of any bytes but NUL, relative or absolute. */
  public static String encode(byte[] path) {
    StringBuilder text = new StringBuilder(path.length);
    for (byte b : path) {
      if (isPlain(b)) {
        text.append((char) b);
      } else {
        HEX.toHexDigits(text.append('%'), b);
      }
    }
    return text.toString();
  }

  /** The text form of a path. */
  public static String encode(Path path) {
    String text = path.toString();
    if (text.chars().allMatch(RawPath::isPlain)) {
      return text;
    }
    String absolute = ROOT.resolve(path).toUri().getRawPath();
    // The address of a path that happens to be a directory of this machine ends in a slash.
    String trimmed =
        absolute.endsWith("/") ? absolute.substring(0, absolute.length() - 1) : absolute;
    return path.isAbsolute() ? trimmed : trimmed.substring(1);
  }

  /** The path that {@link #encode} was given. */
  public static Path path(String encoded) {
    if (encoded.chars().allMatch(RawPath::isPlain)) {
      return Path.of(encoded);
    }
    if (encoded.startsWith("/")) {
      return Path.of(URI.create("file://" + encoded));
    }
    Path absolute = Path.of(URI.create("file:///" + encoded));
    // Not relativize: that would resolve the ".." of a link's target.
    return absolute.subpath(0, absolute.getNameCount());
  }

  /** {@code root} and below it the path of this text form. */
  public static Path resolve(Path root, String encoded) {
    return root.resolve(path(encoded));
  }

  private static boolean isPlain(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || (c > 0 && PLAIN.indexOf(c) >= 0);
  }
}
