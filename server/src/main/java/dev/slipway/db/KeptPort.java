package dev.slipway.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The port of a cluster whose address others keep: chosen once, then read from a file below the
 * cluster's home.
 */
record KeptPort(Path file, LoopbackPort range) {
  /** The port, whoever uses it at the moment. */
  int get() {
    try {
      return read();
    } catch (NoSuchFileException e) {
      return choose();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the port of PostgreSQL in " + file, e);
    }
  }

  /**
   * The port, for a start.
   *
   * @throws IllegalStateException where somebody else listens there: applications would log in to
   *     that
   */
  int free() {
    int port = get();
    if (!LoopbackPort.isFree(port)) {
      throw new IllegalStateException(
          ("another program listens on port %d of 127.0.0.1, at which applications look for their"
                  + " databases: end it (ss -ltnp shows which it is)")
              .formatted(port));
    }
    return port;
  }

  private int read() throws IOException {
    String text = Files.readString(file).strip();
    if (!text.matches("\\d{1,5}")) {
      throw new IllegalStateException(
          "%s does not hold a port: put it back from a backup".formatted(file));
    }
    return Integer.parseInt(text);
  }

  private int choose() {
    int port = range.choose();
    try {
      PrivateFile.write(file, Integer.toString(port));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the port of PostgreSQL to " + file, e);
    }
    return port;
  }
}
