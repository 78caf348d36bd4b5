package dev.slipway.core;

import com.github.f4b6a3.uuid.UuidCreator;
import java.util.UUID;

/**
 * Identifiers as text: a prefix, an underscore, and a UUIDv7 in 26 digits of Crockford's base32, as
 * the TypeID convention writes it. They sort by creation.
 */
final class TypeId {
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int LENGTH = 26;

  private TypeId() {}

  static String next(String prefix) {
    return prefix + "_" + encode(UuidCreator.getTimeOrderedEpochPlus1());
  }

  private static String encode(UUID uuid) {
    char[] text = new char[LENGTH];
    long high = uuid.getMostSignificantBits();
    long low = uuid.getLeastSignificantBits();
    for (int i = LENGTH - 1; i >= 0; i--) {
      text[i] = DIGITS.charAt((int) (low & 31));
      low = (low >>> 5) | (high << 59);
      high >>>= 5;
    }
    return new String(text);
  }
}
