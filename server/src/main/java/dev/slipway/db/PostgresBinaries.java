package dev.slipway.db;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** The PostgreSQL programs, unpacked from our own archive into a folder named by its checksum. */
record PostgresBinaries(Path root) {
  /**
   * Unpacks them below the folder unless that was done before. May be called by several processes
   * at once, and may be killed: only a complete tree gets the final name.
   */
  static PostgresBinaries unpackBelow(Path folder) {
    String archive = "postgres-linux-%s.txz".formatted(architecture());
    try {
      JarURLConnection connection = open(archive);
      long checksum = connection.getJarEntry().getCrc();
      Path root = folder.resolve("programs-%08x".formatted(checksum));
      if (!Files.isDirectory(root)) {
        Path unfinished = Files.createTempDirectory(folder, Folders.UNFINISHED);
        unpack(connection, unfinished);
        Command.find("sync").ifPresent(sync -> syncFileSystem(sync, unfinished));
        publish(unfinished, root);
      }
      return new PostgresBinaries(root);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack PostgreSQL into " + folder, e);
    }
  }

  String program(String name) {
    return root.resolve("bin").resolve(name).toString();
  }

  private static String architecture() {
    String name = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    return switch (name) {
      case "amd64", "x86_64" -> "x86_64";
      case "aarch64", "arm64" -> "arm_64";
      default ->
          throw new IllegalStateException(
              "there is no embedded PostgreSQL for the processor %s: set store.url to a server of your own"
                  .formatted(name));
    };
  }

  private static JarURLConnection open(String archive) throws IOException {
    URL url =
        Optional.ofNullable(PostgresBinaries.class.getResource("/" + archive))
            .orElseThrow(() -> new IOException(archive + " is missing from the class path"));
    return (JarURLConnection) url.openConnection();
  }

  private static void unpack(JarURLConnection connection, Path target) throws IOException {
    try (var file = new BufferedInputStream(connection.getInputStream());
        var tar = new TarArchiveInputStream(new XZCompressorInputStream(file))) {
      TarArchiveEntry entry = tar.getNextEntry();
      while (entry != null) {
        if (isNeeded(entry.getName())) {
          write(tar, entry, target.resolve(entry.getName()));
        }
        entry = tar.getNextEntry();
      }
    }
    Folders.create(target, "rwxr-xr-x");
  }

  /** Libraries to link against and headers are half of the archive's size. */
  private static boolean isNeeded(String name) {
    return !name.endsWith(".a") && !name.contains("pkgconfig") && !name.startsWith("include/");
  }

  // Another account runs these programs: their permissions must not depend on our umask.
  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path path)
      throws IOException {
    if (entry.isDirectory()) {
      Folders.create(path, "rwxr-xr-x");
      return;
    }
    Path parent = path.resolve("..").normalize();
    if (!Files.isDirectory(parent)) {
      Folders.create(parent, "rwxr-xr-x");
    }
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(tar, path);
    boolean executable = (entry.getMode() & 0100) != 0;
    Files.setPosixFilePermissions(
        path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
  }

  // One flush of the file system costs less than one of each of a thousand files. Without it a loss
  // of power could leave empty files under the final name.
  private static void syncFileSystem(String sync, Path folder) {
    Command.run(List.of(sync, "--file-system", folder.toString()));
  }

  private static void publish(Path unfinished, Path root) throws IOException {
    try {
      Files.move(unfinished, root, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      Folders.deleteTree(unfinished);
      if (!Files.isDirectory(root)) { // otherwise another process was faster
        throw e;
      }
    }
  }
}
