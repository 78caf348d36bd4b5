package dev.slipway.domain;

import dev.slipway.core.AccountId;
import dev.slipway.core.ProjectId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Who has a domain.
 *
 * @param label of the project, in its own host name
 */
public record Holder(ProjectId project, AccountId account, String label) {
  private static final int TOKEN_DIGITS = 32;

  /**
   * Says in DNS that the account may have the name. No secret: whoever can set the record has the
   * name, and by it names this account. The same whenever it is asked for, so that it can be set
   * before the name is added.
   */
  String token(DomainName name) {
    return token(account, name);
  }

  static String token(AccountId account, DomainName name) {
    String text = "slipway domain %s %s".formatted(account, name);
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, TOKEN_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
