package dev.slipway.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Who listens on which TCP port of this host, as {@code /proc} tells. */
final class ListeningSockets {
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

  /** {@code TCP_LISTEN} of the kernel's tcp_states.h, as the tables write it. */
  private static final String LISTEN = "0A";

  private ListeningSockets() {}

  /** The inodes of the sockets that listen on {@code port}, on whatever address. */
  static Set<String> on(int port) {
    String suffix = ":%04X".formatted(port);
    Set<String> inodes = new HashSet<>();
    for (Path table : TABLES) {
      for (String line : lines(table)) {
        if (!line.contains(suffix)) {
          continue; // most of them, on a busy host thousands
        }
        // sl local_address rem_address st tx:rx tr:tm retrnsmt uid timeout inode
        String[] fields = line.strip().split("\\s+", 11);
        if (fields.length > 9 && fields[3].equals(LISTEN) && fields[1].endsWith(suffix)) {
          inodes.add(fields[9]);
        }
      }
    }
    return inodes;
  }

  /** Whether this process has one of these sockets open. */
  static boolean heldBy(long pid, Set<String> inodes) {
    Path descriptors = Path.of("/proc", Long.toString(pid), "fd");
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(descriptors)) {
      for (Path entry : entries) {
        String target = Files.readSymbolicLink(entry).toString();
        if (target.startsWith("socket:[")
            && inodes.contains(target.substring("socket:[".length(), target.length() - 1))) {
          return true;
        }
      }
      return false;
    } catch (IOException gone) {
      return false;
    }
  }

  private static List<String> lines(Path table) {
    try {
      return Files.readAllLines(table, StandardCharsets.US_ASCII);
    } catch (IOException noSuchProtocol) {
      return List.of();
    }
  }
}
