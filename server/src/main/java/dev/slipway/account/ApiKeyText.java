package dev.slipway.account;

import dev.slipway.core.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
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
  private static final String ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final int RANDOM_LENGTH = 32;
  private static final int PASSWORD_LENGTH = 20;
  private static final int CHECKSUM_LENGTH = 6;
  private static final Pattern SHAPE =
      Pattern.compile(PREFIX + "[0-9A-Za-z]{" + (RANDOM_LENGTH + CHECKSUM_LENGTH) + "}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private ApiKeyText() {}

  static Secret generate() {
    String body = random(RANDOM_LENGTH);
    return new Secret(PREFIX + body + checksum(body));
  }

  /** A password of the same alphabet, 119 bits; not a key. */
  static Secret password() {
    return new Secret(random(PASSWORD_LENGTH));
  }

  private static String random(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }

  /** Whether it has our shape but not our checksum: certainly not a key. */
  static boolean isMistyped(String text) {
    if (!SHAPE.matcher(text).matches()) {
      return false;
    }
    int end = PREFIX.length() + RANDOM_LENGTH;
    return !checksum(text.substring(PREFIX.length(), end)).equals(text.substring(end));
  }

  static byte[] hash(Secret key) {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest(key.reveal().getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
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
      digits.append(ALPHABET.charAt((int) (rest % ALPHABET.length())));
      rest /= ALPHABET.length();
    }
    return digits.reverse().toString();
  }
}
