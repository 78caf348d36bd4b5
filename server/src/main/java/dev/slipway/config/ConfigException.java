package dev.slipway.config;

import java.util.List;

/** The configuration cannot be used. The message lists every problem, one a line. */
public final class ConfigException extends RuntimeException {
  private final List<String> problems;

  ConfigException(List<String> problems) {
    super("the configuration has problems:\n  " + String.join("\n  ", problems));
    this.problems = List.copyOf(problems);
  }

  /** Sentences that name the key and the value, never a secret's. */
  public List<String> problems() {
    return problems;
  }
}
