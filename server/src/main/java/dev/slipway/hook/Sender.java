package dev.slipway.hook;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** A kind of git host: how its messages are known from those of others, signed and read. */
interface Sender {
  /** Whether it is of this kind what the message says it comes from. */
  boolean sent(HookRequest request);

  /** The headers of which a message has one that shows who sent it, for people. */
  String proof();

  /** Whether it has one of them, be it right or wrong. */
  boolean isSigned(HookRequest request);

  /** Whether it comes from somebody who knows the secret. */
  boolean isProven(HookRequest request, HookSecret secret, Instant now);

  /** What happened, in the host's words. */
  String event(HookRequest request);

  /** The host's name of the message: the same when it sends it again. */
  Optional<String> deliveryId(HookRequest request);

  Message read(String event, Payload payload);

  /**
   * A digest of what of the message is proven, and is the same when it is sent again. Of most hosts
   * that is the body alone: whoever sends it again under another name is found out by it.
   */
  default byte[] digest(HookRequest request) {
    return sha256(request.body());
  }

  /** Whether {@code given} is the signature in hexadecimal digits. */
  static boolean matches(String given, byte[] signature) {
    try {
      return MessageDigest.isEqual(
          HexFormat.of().parseHex(given.toLowerCase(Locale.ROOT)), signature);
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  static byte[] sha256(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
