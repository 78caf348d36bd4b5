package dev.slipway.edge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** What an edge that is a process of its own has below the data directory; this user's alone. */
public record EdgeFolder(Path path) {
  /** What a socket's name may be long, by the kernel. */
  private static final int MAX_SOCKET_BYTES = 107;

  /**
   * Makes it where it is not there.
   *
   * @throws IllegalStateException with a sentence for the operator where its sockets cannot be
   */
  public static EdgeFolder below(Path dataDir) throws IOException {
    EdgeFolder folder = new EdgeFolder(dataDir.resolve("edge"));
    Files.createDirectories(folder.path);
    Files.setPosixFilePermissions(folder.path, PosixFilePermissions.fromString("rwx------"));
    int bytes =
        folder.path.resolve("takeover.4194304").toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_SOCKET_BYTES) {
      throw new IllegalStateException(
          "the path of data_dir, %s, is %d bytes too long for a socket below it: shorten it, or run all roles in one process"
              .formatted(dataDir, bytes - MAX_SOCKET_BYTES));
    }
    return folder;
  }

  /** Where the control plane takes the requests that the edge passes on to it. */
  public Path controlSocket() {
    return path.resolve("control");
  }

  /** The same, free to be listened on: what a killed process left is removed. */
  public Path freeControlSocket() throws IOException {
    Files.deleteIfExists(controlSocket());
    return controlSocket();
  }

  /** Where one edge process takes over from another. */
  Path handover() {
    return path.resolve("takeover");
  }

  /** Of the processes that are edges. */
  public EdgeLocks locks() {
    return new EdgeLocks(path);
  }

  Path routes() {
    return path.resolve("routes.json");
  }

  Path certificates() {
    return path.resolve("certificates");
  }
}
