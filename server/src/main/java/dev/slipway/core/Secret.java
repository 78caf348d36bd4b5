package dev.slipway.core;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A value that must not appear in a log or an answer: {@link #toString} never shows it. */
public final class Secret {
  private final String value;

  public Secret(String value) {
    this.value = value;
  }

  /** The value itself. Every caller is a place where it may leak. */
  public String reveal() {
    return value;
  }

  /** Compares in time that depends on the length alone. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret
        && MessageDigest.isEqual(
            value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "[secret]";
  }
}
