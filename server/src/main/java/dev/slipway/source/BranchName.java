package dev.slipway.source;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The rules of {@code git check-ref-format --branch}, and at most 250 bytes. */
public final class BranchName {
  private static final int MAX_BYTES = 250;

  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "[\\x00-\\x20\\x7f~^:?*\\[\\\\]" // control characters and those with a meaning to git
              + "|\\.\\.|@\\{|//"
              + "|(^|/)\\." // a component that begins with a dot
              + "|\\.lock(/|$)|\\.$|^/|/$|^-|^@$|^HEAD$");

  private BranchName() {}

  public static boolean isValid(String name) {
    return !name.isEmpty()
        && name.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES
        && !FORBIDDEN.matcher(name).find();
  }
}
