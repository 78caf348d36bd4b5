package dev.slipway.account;

import dev.slipway.core.Secret;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text of an API key: {@code slip_}, 32 random letters and digits, and a checksum of 6, so that
 * scanners find leaked keys and a mistyped one is refused without a look into the store.
 *
 * <p>Format after GitHub's tokens: 190 bits of randomness, so a plain SHA-256 is a safe hash.
 */
final class ApiKeyText {
  private static final String PREFIX = "slip_";
  private static final int CHECKSUM_LENGTH = 6;
  private static final Pattern SHAPE =
      Pattern.compile(PREFIX + "[0-9A-Za-z]{" + (RandomText.TOKEN_LENGTH + CHECKSUM_LENGTH) + "}");

  private ApiKeyText() {}

  static Secret generate() {
    String body = RandomText.of(RandomText.TOKEN_LENGTH);
    return new Secret(PREFIX + body + checksum(body));
  }

  /** Whether it has our shape but not our checksum: certainly not a key. */
  static boolean isMistyped(String text) {
    if (!SHAPE.matcher(text).matches()) {
      return false;
    }
    int end = PREFIX.length() + RandomText.TOKEN_LENGTH;
    return !checksum(text.substring(PREFIX.length(), end)).equals(text.substring(end));
  }

  /** What a person may see of a key later on. */
  static String hint(Secret key) {
    return key.reveal().substring(0, 9) + "…";
  }

  private static String checksum(String body) {
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(StandardCharsets.US_ASCII));
    StringBuilder digits = new StringBuilder();
    long rest = crc.getValue();
    for (int i = 0; i < CHECKSUM_LENGTH; i++) {
      digits.append(RandomText.ALPHABET.charAt((int) (rest % RandomText.ALPHABET.length())));
      rest /= RandomText.ALPHABET.length();
    }
    return digits.reverse().toString();
  }
}
