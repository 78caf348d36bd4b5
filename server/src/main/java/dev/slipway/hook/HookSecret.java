package dev.slipway.hook;

import dev.slipway.core.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a project and its git host know and nobody else. Written as Standard Webhooks writes
 * secrets, which is what GitLab asks of one that signs; every other host takes it as any text.
 */
record HookSecret(Secret text) {
  private static final String PREFIX = "whsec_";
  private static final int BYTES = 32;
  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  static HookSecret next() {
    byte[] key = new byte[BYTES];
    RANDOM.nextBytes(key);
    return new HookSecret(new Secret(PREFIX + Base64.getEncoder().encodeToString(key)));
  }

  /** Whether that is it; takes as long whatever is wrong. */
  boolean is(String given) {
    return MessageDigest.isEqual(bytes(given), bytes(text.reveal()));
  }

  /** Of hosts that take the text as it is for a key. */
  byte[] sign(byte[] message) {
    return sign(bytes(text.reveal()), message);
  }

  /**
   * Of hosts that sign as Standard Webhooks says: the key is what the text encodes.
   *
   * @param parts of one message, in their order
   */
  byte[] signStandard(byte[]... parts) {
    return sign(Base64.getDecoder().decode(text.reveal().substring(PREFIX.length())), parts);
  }

  private static byte[] sign(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
