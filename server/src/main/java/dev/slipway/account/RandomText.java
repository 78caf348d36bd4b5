package dev.slipway.account;

import dev.slipway.core.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/** Secrets that are made up: random letters and digits. */
final class RandomText {
  static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  /** 190 bits: nobody guesses that, so a plain SHA-256 is a safe hash. */
  static final int TOKEN_LENGTH = 32;

  private static final int PASSWORD_LENGTH = 20;
  private static final SecureRandom RANDOM = new SecureRandom();

  private RandomText() {}

  static Secret token() {
    return new Secret(of(TOKEN_LENGTH));
  }

  /** 119 bits. */
  static Secret password() {
    return new Secret(of(PASSWORD_LENGTH));
  }

  static String of(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }

  /** What is stored of a token or key, and looked up: so that timing tells nothing about it. */
  static byte[] hash(Secret token) {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest(token.reveal().getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
