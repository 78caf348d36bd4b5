package dev.slipway.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The TCP sockets of this host that are listened on, as {@code /proc} tells.
 *
 * @param ports by the sockets' inodes
 */
record ListeningSockets(Map<String, Integer> ports) {
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

  /** {@code TCP_LISTEN} of the kernel's tcp_states.h, as the tables write it. */
  private static final String LISTEN = " 0A ";

  static ListeningSockets ofHost() {
    Map<String, Integer> ports = new HashMap<>();
    for (Path table : TABLES) {
      for (String line : lines(table)) {
        if (!line.contains(LISTEN)) {
          continue; // most of them, on a busy host thousands
        }
        // sl local_address rem_address st tx:rx tr:tm retrnsmt uid timeout inode
        String[] fields = line.strip().split("\\s+", 11);
        if (fields.length > 9) {
          String port = fields[1].substring(fields[1].indexOf(':') + 1);
          ports.put(fields[9], Integer.parseInt(port, 16));
        }
      }
    }
    return new ListeningSockets(ports);
  }

  /** The ports of those that this process has open. */
  Set<Integer> portsOf(long pid) {
    Set<Integer> found = new HashSet<>();
    Path descriptors = Path.of("/proc", Long.toString(pid), "fd");
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(descriptors)) {
      for (Path entry : entries) {
        String target = Files.readSymbolicLink(entry).toString();
        if (target.startsWith("socket:[")) {
          String inode = target.substring("socket:[".length(), target.length() - 1);
          Optional.ofNullable(ports.get(inode)).ifPresent(found::add);
        }
      }
    } catch (IOException | DirectoryIteratorException gone) {
      return found;
    }
    return found;
  }

  private static List<String> lines(Path table) {
    try {
      return Files.readAllLines(table, StandardCharsets.US_ASCII);
    } catch (IOException noSuchProtocol) {
      return List.of();
    }
  }
}
