package dev.slipway.source.git;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands in git for a large file.
 *
 * @param oid the SHA-256 of the file, 64 hex digits
 * @param size in bytes
 */
record LfsPointer(String oid, long size) {
  /** Git LFS never writes a longer one. */
  static final int MAX_BYTES = 1024;

  private static final Pattern TEXT =
      Pattern.compile(
          "version https://(git-lfs\\.github\\.com|hawser\\.github\\.com)/spec/v1\n"
              + "(ext-[^\n]*\n)*"
              + "oid sha256:(?<oid>[0-9a-f]{64})\n"
              + "size (?<size>[0-9]{1,15})\n?");

  /** Empty for any other file. */
  static Optional<LfsPointer> parse(byte[] content) {
    Matcher matcher = TEXT.matcher(new String(content, StandardCharsets.ISO_8859_1));
    return matcher.matches()
        ? Optional.of(new LfsPointer(matcher.group("oid"), Long.parseLong(matcher.group("size"))))
        : Optional.empty();
  }
}
