package dev.slipway.accesslog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code access.log}, and the earlier ones beside it: {@code access-<time of its end>.log}. A file
 * ends when it has its size, or is a day old. One that somebody else moves away, the operator or
 * another process that writes here, is left, and the next one begun. Not thread-safe.
 */
final class LogFiles {
  private static final Logger log = LoggerFactory.getLogger(LogFiles.class);
  private static final String CURRENT = "access.log";
  private static final String EARLIER = "access-*.log";
  private static final DateTimeFormatter ENDED =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS").withZone(ZoneOffset.UTC);
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> FOLDER_OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final Duration A_FILE = Duration.ofDays(1);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final int FILES = 8;
  private static final long MOST_BYTES_A_FILE = 64L << 20;

  private final Path folder;
  private final Path current;
  private final Duration keep;
  private final long maxBytes;
  private final long fileBytes;

  private static final byte[] LINE_END = {'\n'};

  private @Nullable FileChannel open;
  private @Nullable Object identity;
  private Instant begun = Instant.EPOCH;
  private long bytes;
  private boolean torn;
  private long nextLookNanos = System.nanoTime();

  private LogFiles(Path folder, Duration keep, long maxBytes) {
    this.folder = folder;
    this.current = folder.resolve(CURRENT);
    this.keep = keep;
    this.maxBytes = maxBytes;
    this.fileBytes = Math.min(maxBytes / FILES, MOST_BYTES_A_FILE);
  }

  static LogFiles in(Path folder, Duration keep, long maxBytes) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, FOLDER_OWNER_ONLY);
    }
    LogFiles files = new LogFiles(folder, keep, maxBytes);
    files.channel();
    files.prune();
    return files;
  }

  /** Whole lines, in one piece: where another process writes too, they do not mix. */
  void append(byte[] lines, int length) throws IOException {
    if (bytes > 0 && (bytes + length > fileBytes || Instant.now().isAfter(begun.plus(A_FILE)))) {
      rotate();
    }
    leaveWhereMoved();
    ByteBuffer rest = ByteBuffer.wrap(lines, 0, length);
    try {
      if (torn) {
        bytes += channel().write(ByteBuffer.wrap(LINE_END));
        torn = false;
      }
      while (rest.hasRemaining()) {
        bytes += channel().write(rest);
      }
    } catch (IOException e) {
      torn = true; // Half a line may stand there.
      close();
      throw e;
    }
  }

  /** To be called now and then while there is nothing to write. */
  void idle() {
    if (bytes > 0 && Instant.now().isAfter(begun.plus(A_FILE))) {
      try {
        rotate();
      } catch (IOException e) {
        log.warn("the access log cannot be rotated: {}", e.toString());
        begun = Instant.now(); // and is tried again in a day
      }
    }
  }

  void close() {
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        log.warn("the access log cannot be closed: {}", e.toString());
      }
      open = null;
    }
  }

  private FileChannel channel() throws IOException {
    if (open == null) {
      FileChannel next =
          FileChannel.open(
              current, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), OWNER_ONLY);
      open = next;
      bytes = next.size();
      BasicFileAttributes attributes = Files.readAttributes(current, BasicFileAttributes.class);
      identity = attributes.fileKey();
      begun = attributes.creationTime().toInstant();
    }
    return open;
  }

  private void leaveWhereMoved() {
    if (System.nanoTime() - nextLookNanos >= 0) {
      nextLookNanos = System.nanoTime() + LOOK_EVERY.toNanos();
      if (open != null && !isOurs()) {
        close();
      }
    }
  }

  private boolean isOurs() {
    try {
      Object there = Files.readAttributes(current, BasicFileAttributes.class).fileKey();
      return there != null && there.equals(identity);
    } catch (IOException gone) {
      return false;
    }
  }

  private void rotate() throws IOException {
    boolean ours = isOurs();
    close();
    if (ours) {
      Files.move(current, ended());
    }
    channel();
    prune();
  }

  private Path ended() {
    Instant now = Instant.now();
    Path free = folder.resolve("access-" + ENDED.format(now) + ".log");
    while (Files.exists(free)) { // full within a millisecond
      now = now.plusMillis(1);
      free = folder.resolve("access-" + ENDED.format(now) + ".log");
    }
    return free;
  }

  /** Deletes the oldest until the rest is within its bounds; room for the current one included. */
  private void prune() throws IOException {
    Instant oldest = Instant.now().minus(keep);
    long left = maxBytes - fileBytes;
    for (Path file : earlier().reversed()) {
      Optional<BasicFileAttributes> attributes = attributes(file);
      if (attributes.isEmpty()) {
        continue;
      }
      left -= attributes.get().size();
      if (left < 0 || attributes.get().lastModifiedTime().toInstant().isBefore(oldest)) {
        Files.deleteIfExists(file);
      }
    }
  }

  private List<Path> earlier() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      var matcher = folder.getFileSystem().getPathMatcher("glob:" + EARLIER);
      return files.filter(file -> matcher.matches(file.getFileName())).sorted().toList();
    }
  }

  private static Optional<BasicFileAttributes> attributes(Path file) throws IOException {
    try {
      return Optional.of(Files.readAttributes(file, BasicFileAttributes.class));
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    }
  }
}
