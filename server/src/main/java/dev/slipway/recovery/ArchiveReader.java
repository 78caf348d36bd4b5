package dev.slipway.recovery;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.LongConsumer;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Lays out on disk what an {@link ArchiveWriter} wrote. Whoever wrote the file, only plain files of
 * names that we know come of it. Not thread-safe.
 */
final class ArchiveReader implements AutoCloseable {
  private static final int MAX_MANIFEST_BYTES = 64 << 20;
  private static final int EXECUTABLE = 0100;
  private static final String NOT_OURS = " is no archive of slipway admin backup";

  private final Path file;
  private final TarArchiveInputStream tar;
  private final Checksum checksum = new Checksum();
  private final byte[] buffer = new byte[1 << 16];
  private final Manifest manifest;

  /**
   * Reads the beginning.
   *
   * @throws IllegalStateException with a sentence for the operator where the file is no archive of
   *     ours
   */
  ArchiveReader(Path file) throws IOException {
    this.file = file;
    this.tar =
        new TarArchiveInputStream(
            new BufferedInputStream(Files.newInputStream(file), 1 << 16), "UTF-8");
    try {
      this.manifest = Manifest.read(text(first()));
    } catch (IOException | RuntimeException e) {
      tar.close();
      throw e;
    }
  }

  private TarArchiveEntry first() throws IOException {
    try {
      TarArchiveEntry first = tar.getNextEntry();
      if (first != null
          && first.getName().equals(Layout.MANIFEST)
          && isPlain(first)
          && first.getSize() <= MAX_MANIFEST_BYTES) {
        return first;
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(file + NOT_OURS, e);
    }
    throw new IllegalStateException(file + NOT_OURS);
  }

  Manifest manifest() {
    return manifest;
  }

  /**
   * All else, below a directory that exists. What is there is of use only when this returns: the
   * checksum is known at the end.
   *
   * @param progress told again and again how many bytes are read
   * @throws IllegalStateException with a sentence for the operator where it is damaged or not ours
   */
  void unpack(Path into, LongConsumer progress) throws IOException {
    for (TarArchiveEntry entry = next(); entry != null; entry = next()) {
      if (entry.getName().equals(Layout.CHECKSUM)) {
        requireChecksum(entry);
        return;
      }
      if (!Layout.isUnpacked(entry.getName())) {
        throw damaged("it holds a file that no archive has: " + printable(entry.getName()));
      }
      write(entry, into.resolve(entry.getName()), progress);
    }
    throw damaged("its end is missing");
  }

  private @Nullable TarArchiveEntry next() throws IOException {
    TarArchiveEntry entry;
    try {
      entry = tar.getNextEntry();
    } catch (IOException | IllegalArgumentException e) {
      throw damaged(e);
    }
    if (entry != null && !isPlain(entry)) {
      throw damaged("it holds more than plain files: " + printable(entry.getName()));
    }
    // Nothing is compressed, so whatever says that it is larger lies.
    if (entry != null && entry.getSize() > Files.size(file)) {
      throw damaged("it holds a file that is larger than itself");
    }
    return entry;
  }

  private static boolean isPlain(TarArchiveEntry entry) {
    return entry.getLinkFlag() == TarArchiveEntry.LF_NORMAL && !entry.isSparse();
  }

  private void write(TarArchiveEntry entry, Path to, LongConsumer progress) throws IOException {
    Files.createDirectories(to.resolve("..").normalize());
    begin(entry);
    try (OutputStream out =
        Files.newOutputStream(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int read = read(); read >= 0; read = read()) {
        out.write(buffer, 0, read);
        progress.accept(tar.getBytesRead());
      }
    }
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString(permissions(entry)));
    Files.setLastModifiedTime(to, entry.getLastModifiedTime());
  }

  /** Objects have the modes that programs see them with, below a folder that is closed. */
  private static String permissions(TarArchiveEntry entry) {
    if (!entry.getName().startsWith(Layout.OBJECTS)) {
      return "rw-------";
    }
    return (entry.getMode() & EXECUTABLE) != 0 ? "rwxrwxrwx" : "rw-rw-rw-";
  }

  private void begin(TarArchiveEntry entry) {
    checksum.begin(
        entry.getName(),
        entry.getSize(),
        entry.getMode(),
        entry.getLastModifiedTime().toInstant().getEpochSecond());
  }

  private int read() {
    try {
      int read = tar.read(buffer);
      if (read > 0) {
        checksum.update(buffer, read);
      }
      return read;
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  private byte[] text(TarArchiveEntry entry) throws IOException {
    begin(entry);
    byte[] bytes;
    try {
      bytes = tar.readAllBytes();
    } catch (IOException e) {
      throw damaged(e);
    }
    checksum.update(bytes, bytes.length);
    return bytes;
  }

  private void requireChecksum(TarArchiveEntry entry) throws IOException {
    String expected = checksum.value();
    if (entry.getSize() != expected.length()
        || !new String(text(entry), StandardCharsets.US_ASCII).equals(expected)) {
      throw damaged("its checksum is another one than that of what it holds");
    }
  }

  private IllegalStateException damaged(String how) {
    return new IllegalStateException(
        "%s is damaged: %s. Nothing was restored; use another backup".formatted(file, how));
  }

  private IllegalStateException damaged(Exception cause) {
    IllegalStateException failure = damaged("it cannot be read to its end");
    failure.initCause(cause);
    return failure;
  }

  private static String printable(String name) {
    return name.replaceAll("[^ -~]", "?");
  }

  @Override
  public void close() throws IOException {
    tar.close();
  }
}
