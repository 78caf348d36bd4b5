package dev.slipway.sandbox;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;

/** The environment of a program as {@code launch.sh} reads it. */
final class EnvironmentText {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final String LAUNCHERS_OWN = "slipway_launch_";

  private EnvironmentText() {}

  /**
   * For each variable a line with its name, one with the number of lines of its value, and these;
   * then a dot.
   *
   * @throws IllegalArgumentException for what no program can be given; names no value
   */
  static byte[] of(Map<String, String> env) {
    StringBuilder text = new StringBuilder();
    env.forEach((name, value) -> {
      if (!NAME.matcher(name).matches() || name.startsWith(LAUNCHERS_OWN)) {
        throw new IllegalArgumentException("no variable may be called " + name);
      }
      if (value.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("the value of " + name + " holds a NUL");
      }
      long lines = 1 + value.chars().filter(c -> c == '\n').count();
      text.append(name).append('\n').append(lines).append('\n').append(value).append('\n');
    });
    return text.append(".\n").toString().getBytes(StandardCharsets.UTF_8);
  }
}
