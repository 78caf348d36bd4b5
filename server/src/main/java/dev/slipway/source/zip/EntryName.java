package dev.slipway.source.zip;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The path of an entry, as the names of which it consists; none of them is empty, {@code .} or
 * {@code ..}.
 */
record EntryName(List<String> names) {
  /** What file systems take. */
  private static final int MAX_NAME_BYTES = 255;

  private static final int MAX_PATH_BYTES = 3000;
  static final int MAX_DEPTH = 100;

  EntryName {
    names = List.copyOf(names);
  }

  /**
   * @param raw the bytes of the archive; what the library made of them has lost what was odd
   * @throws dev.slipway.core.AppFailure where no file may be called so
   */
  static EntryName parse(byte[] raw) {
    String text = decode(raw);
    if (text.startsWith("/")) {
      throw Refused.entry(text, "has an absolute path");
    }
    if (text.indexOf('\\') >= 0) {
      throw Refused.entry(
          text,
          "has a backslash in its name; pack it with a tool that separates folders by slashes");
    }
    if (text.indexOf(0) >= 0) {
      throw Refused.entry(text, "has a NUL in its name");
    }
    List<String> names = new ArrayList<>();
    for (String name : text.split("/", -1)) {
      if (name.equals("..")) {
        throw Refused.entry(text, "leads out of the archive");
      }
      if (bytes(name) > MAX_NAME_BYTES) {
        throw Refused.entry(text, "has a name of more than 255 bytes");
      }
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    if (raw.length > MAX_PATH_BYTES || names.size() > MAX_DEPTH) {
      throw Refused.entry(
          text, "is more than 100 folders deep, or has a path of more than 3,000 bytes");
    }
    return new EntryName(names);
  }

  private static String decode(byte[] raw) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
    } catch (CharacterCodingException e) {
      throw Refused.entry(
          new String(raw, StandardCharsets.ISO_8859_1),
          "has a name that is not UTF-8; rename it, or pack it with another tool");
    }
  }

  private static int bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length;
  }

  /** What the tools of macOS add for themselves. */
  boolean isClutter() {
    return !names.isEmpty()
        && (names.getFirst().equals("__MACOSX") || names.getLast().equals(".DS_Store"));
  }

  boolean isRoot() {
    return names.isEmpty();
  }

  /** Whether it is, or is below, the folder of this name at the top. */
  boolean isBelow(String top) {
    return !names.isEmpty() && names.getFirst().equals(top);
  }

  Optional<EntryName> parent() {
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(new EntryName(names.subList(0, names.size() - 1)));
  }

  /** Without its first name. */
  EntryName tail() {
    return new EntryName(names.subList(1, names.size()));
  }

  byte[] toBytes() {
    return toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return String.join("/", names);
  }
}
