package dev.slipway.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What PostgreSQL writes about itself into its data directory.
 *
 * @param port 0 while it is not written yet
 * @param status {@code starting}, {@code ready}, {@code stopping}, or empty
 * @see <a href="https://www.postgresql.org/docs/18/storage-file-layout.html">postmaster.pid</a>
 */
record PostmasterPid(long pid, int port, String status) {
  static final String FILE = "postmaster.pid";
  private static final int PORT_LINE = 3;
  private static final int STATUS_LINE = 7;

  static Optional<PostmasterPid> read(Path dataDirectory) {
    try {
      return parse(Files.readAllLines(dataDirectory.resolve(FILE)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read postmaster.pid in " + dataDirectory, e);
    }
  }

  /** Empty where the first line is not complete: PostgreSQL is just writing it. */
  static Optional<PostmasterPid> parse(List<String> lines) {
    String pid = line(lines, 0);
    if (!pid.matches("\\d{1,10}")) {
      return Optional.empty();
    }
    String port = line(lines, PORT_LINE);
    return Optional.of(
        new PostmasterPid(
            Long.parseLong(pid),
            port.matches("\\d{1,5}") ? Integer.parseInt(port) : 0,
            line(lines, STATUS_LINE)));
  }

  boolean isReady() {
    return status.equals("ready") && port > 0;
  }

  private static String line(List<String> lines, int index) {
    return index < lines.size() ? lines.get(index).strip() : "";
  }
}
