package dev.slipway.account;

import dev.slipway.core.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the forms of a session carry, so that no other site can send them: derived from the
 * session's token, which it does not tell, and kept nowhere.
 */
final class CsrfToken {
  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] LABEL = "slipway csrf".getBytes(StandardCharsets.US_ASCII);

  private CsrfToken() {}

  /** 64 hexadecimal digits. */
  static String of(Secret sessionToken) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(
          new SecretKeySpec(sessionToken.reveal().getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return HexFormat.of().formatHex(mac.doFinal(LABEL));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  /** Takes the same time wherever the two differ. */
  static boolean matches(Secret sessionToken, String given) {
    return MessageDigest.isEqual(
        of(sessionToken).getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }
}
