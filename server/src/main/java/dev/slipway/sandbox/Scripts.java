package dev.slipway.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Objects;
import java.util.zip.CRC32;

/**
 * Our shell scripts as files. A file's name holds a checksum of its content, so that it never
 * changes under a shell of an earlier version that still reads it.
 */
record Scripts(Path directory) {
  Path supervisor() {
    return unpacked("supervisor.sh", read("supervisor.sh"));
  }

  Path bubblewrap() {
    return unpacked("bubblewrap.sh", read("bubblewrap.sh"));
  }

  Path namespaces() {
    return unpacked("namespaces.sh", read("namespaces.sh"));
  }

  Path network() {
    return unpacked("network.sh", read("network.sh"));
  }

  Path wayOut() {
    return unpacked("way-out.sh", read("way-out.sh"));
  }

  Path seccompFilter(byte[] filter) {
    return unpacked("no-user-namespaces.bpf", filter);
  }

  /** Given as an argument, as the program's user cannot reach our files. */
  static String launch() {
    return new String(read("launch.sh"), StandardCharsets.UTF_8);
  }

  private Path unpacked(String name, byte[] content) {
    CRC32 checksum = new CRC32();
    checksum.update(content);
    Path file =
        directory.resolve(HexFormat.of().toHexDigits((int) checksum.getValue()) + "-" + name);
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(directory);
        Path draft = Files.createTempFile(directory, name, ".new");
        Files.write(draft, content);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("writing " + file + " failed", e);
    }
  }

  private static byte[] read(String name) {
    try (InputStream in = Scripts.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
