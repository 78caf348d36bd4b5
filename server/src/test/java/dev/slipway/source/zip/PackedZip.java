package dev.slipway.source.zip;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;

/** An archive that a test packs, entry by entry, with whatever a packer could write. */
public final class PackedZip implements AutoCloseable {
  private static final int REGULAR = 0100644;
  private static final int EXECUTABLE = 0100755;
  private static final int LINK = 0120777;

  private final Path file;
  private final ZipArchiveOutputStream out;

  public PackedZip(Path file) {
    this.file = file;
    try {
      out = new ZipArchiveOutputStream(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of an archive with one file. */
  public static byte[] of(String name, String text) {
    try {
      Path file = Files.createTempFile("packed-", ".zip");
      try (PackedZip zip = new PackedZip(file)) {
        zip.file(name, text);
      }
      byte[] bytes = Files.readAllBytes(file);
      Files.delete(file);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public PackedZip file(String name, String text) {
    return add(name, REGULAR, text.getBytes(StandardCharsets.UTF_8));
  }

  PackedZip executable(String name, String text) {
    return add(name, EXECUTABLE, text.getBytes(StandardCharsets.UTF_8));
  }

  PackedZip link(String name, String target) {
    return add(name, LINK, target.getBytes(StandardCharsets.UTF_8));
  }

  PackedZip folder(String name) {
    return add(name + "/", 0, new byte[0]);
  }

  PackedZip add(String name, int mode, byte[] content) {
    try {
      // Its constructor keeps names as they are; its setter would mend them.
      ZipArchiveEntry entry = new ZipArchiveEntry(name);
      if (mode != 0) {
        entry.setUnixMode(mode);
      }
      out.putArchiveEntry(entry);
      out.write(content);
      out.closeArchiveEntry();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes bytes of the finished file, each shown as a character, wherever they stand. */
  void closeAndChange(UnaryOperator<String> change) {
    close();
    try {
      String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
      Files.writeString(file, change.apply(bytes), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
