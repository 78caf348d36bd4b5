package dev.slipway.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** The server's log, for the operator: one event a line, on standard error. */
final class ServerLog {
  private static final Logger ROOT = Logger.getLogger("");

  private ServerLog() {}

  /** An operator's own {@code java.util.logging.config.file} wins. */
  static void configure() {
    if (System.getProperty("java.util.logging.config.file") != null) {
      return;
    }
    try (InputStream settings = ServerLog.class.getResourceAsStream("/logging.properties")) {
      LogManager.getLogManager().readConfiguration(settings);
    } catch (IOException e) {
      throw new UncheckedIOException("the settings of the log cannot be read", e);
    }
  }

  static void warningsOnly() {
    ROOT.setLevel(Level.WARNING);
  }
}
