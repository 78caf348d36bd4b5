package dev.slipway.runlog;

import java.util.regex.Pattern;

/** What a program prints may hold anything: colours, bells, and NUL, which the store refuses. */
public final class PlainText {
  private static final Pattern CONTROL =
      Pattern.compile("\u001B\\[[0-9;?]*[ -/]*[@-~]|[\\p{Cntrl}&&[^\t]]");

  private PlainText() {}

  /** The line without control characters, tabs excepted. */
  public static String of(String line) {
    return CONTROL.matcher(line).replaceAll("");
  }
}
