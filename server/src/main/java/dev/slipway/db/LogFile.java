package dev.slipway.db;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines of a postmaster that outlives us go to a file of the cluster's home, which is emptied
 * when it has grown: the lines before are in {@code log.1} then. All processes of PostgreSQL append
 * to it, so that they go on at its new end.
 */
final class LogFile implements PostgresOutput {
  private static final Logger LOG = LoggerFactory.getLogger(LogFile.class);
  private static final long MAX_BYTES = 4 << 20;
  private static final int LAST_WORDS_BYTES = 4 << 10;

  private final Path file;
  private final long maxBytes;
  private long startedAt;

  LogFile(Path home) {
    this(home, MAX_BYTES);
  }

  LogFile(Path home, long maxBytes) {
    this.file = home.resolve("log");
    this.maxBytes = maxBytes;
  }

  @Override
  public Redirect target() {
    try {
      if (!Files.exists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      startedAt = Files.size(file);
      return Redirect.appendTo(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the log of PostgreSQL to " + file, e);
    }
  }

  @Override
  public void begins(Process process) {
    LOG.debug("PostgreSQL writes its log to {}: pid={}", file, process.pid());
  }

  @Override
  public String lastWords() {
    try (RandomAccessFile lines = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(startedAt, lines.length() - LAST_WORDS_BYTES);
      byte[] bytes = new byte[Math.toIntExact(Math.max(0, lines.length() - from))];
      lines.seek(from);
      lines.readFully(bytes);
      return String.join(" / ", new String(bytes, StandardCharsets.UTF_8).lines().toList());
    } catch (IOException e) {
      return "its log cannot be read: " + e.getMessage();
    }
  }

  /** Empties it if it is too large. */
  void bound() {
    try {
      if (Files.size(file) > maxBytes) {
        Files.copy(file, file.resolveSibling("log.1"), StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(0);
        }
      }
    } catch (NoSuchFileException e) {
      LOG.debug("PostgreSQL has no log in {}", file);
    } catch (IOException e) {
      LOG.warn("the log of PostgreSQL in {} cannot be emptied", file, e);
    }
  }
}
