package dev.slipway.release;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Files by content, each stored once: {@code <2 digits>/<62 digits>} of their SHA-256, with {@value
 * #EXECUTABLE} behind for those that may be executed, as a file has but one mode. Thread-safe, also
 * between processes.
 */
final class Objects {
  private static final String EXECUTABLE = "x";
  private static final int MAX_BUFFER = 1 << 16;
  private static final Set<PosixFilePermission> PLAIN_MODE =
      PosixFilePermissions.fromString("rw-rw-rw-");
  private static final Set<PosixFilePermission> EXECUTABLE_MODE =
      PosixFilePermissions.fromString("rwxrwxrwx");

  private final Path directory;
  private final Path temporary;

  /**
   * @param temporary an empty directory on the same file system, for names that last a moment: in a
   *     tree they would be found there after a crash
   */
  Objects(Path directory, Path temporary) throws IOException {
    this.directory = directory;
    this.temporary = temporary;
    for (int i = 0; i < 256; i++) {
      Files.createDirectories(directory.resolve("%02x".formatted(i)));
    }
  }

  /**
   * Takes a file in and makes it one with the object, so that it takes no room of its own. The file
   * stays where it is; nothing may have it open for writing any more.
   *
   * @param owner the user that it is given to, or negative to leave it
   * @return the name of the object
   */
  String adopt(Path file, boolean executable, int owner) throws IOException {
    long size = Files.size(file);
    String name = hash(file, size) + (executable ? EXECUTABLE : "");
    Path object = path(name);
    if (isWhole(object, size)) {
      replaceByLink(file, object);
      return name;
    }
    Path own = unshared(file);
    if (owner >= 0) {
      Files.setAttribute(own, "unix:uid", owner, NOFOLLOW_LINKS);
      Files.setAttribute(own, "unix:gid", owner, NOFOLLOW_LINKS);
    }
    // After the owner: that takes away setuid bits, and this any other.
    Files.setPosixFilePermissions(own, executable ? EXECUTABLE_MODE : PLAIN_MODE);
    try {
      Files.createLink(object, own);
    } catch (FileAlreadyExistsException e) {
      if (isWhole(object, size)) {
        replaceByLink(own, object);
      } else {
        // Cut short by a power failure before any release named it.
        Path fresh = fresh();
        Files.createLink(fresh, own);
        Files.move(fresh, object, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return name;
  }

  /** Makes {@code target}, which must not exist, one with the object. */
  void link(String name, Path target) throws IOException {
    linkOrCopy(path(name), target);
  }

  /** The SHA-256 of an object's bytes. */
  static String contentHash(String name) {
    return name.endsWith(EXECUTABLE) ? name.substring(0, name.length() - 1) : name;
  }

  Path path(String name) {
    return directory.resolve(name.substring(0, 2)).resolve(name.substring(2));
  }

  /** Deletes what is not in {@code kept} and was neither stored nor linked since {@code before}. */
  void collect(Set<String> kept, Instant before) throws IOException {
    try (Stream<Path> directories = Files.list(directory)) {
      for (Path part : directories.toList()) {
        try (Stream<Path> objects = Files.list(part)) {
          for (Path object : objects.toList()) {
            String name = part.getFileName() + object.getFileName().toString();
            if (!kept.contains(name) && lastTouched(object).isBefore(before)) {
              Files.delete(object);
            }
          }
        }
      }
    }
  }

  /** When it was last linked or changed; its modification time is what the package's maker set. */
  private static Instant lastTouched(Path object) throws IOException {
    return ((FileTime) Files.getAttribute(object, "unix:ctime", NOFOLLOW_LINKS)).toInstant();
  }

  private static boolean isWhole(Path object, long size) throws IOException {
    try {
      // Most are new, and an exception for each would take longer than all the rest.
      return Files.exists(object, NOFOLLOW_LINKS) && Files.size(object) == size;
    } catch (NoSuchFileException deletedMeanwhile) {
      return false;
    }
  }

  /** A file that has further names may be written to through them, so it is replaced by a copy. */
  private Path unshared(Path file) throws IOException {
    if (((Integer) Files.getAttribute(file, "unix:nlink", NOFOLLOW_LINKS)) > 1) {
      Path copy = fresh();
      Files.copy(file, copy);
      Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return file;
  }

  private void replaceByLink(Path file, Path object) throws IOException {
    Path fresh = fresh();
    linkOrCopy(object, fresh);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    // Two names of one file are left as they are by a rename; the new one is then still there.
    Files.deleteIfExists(fresh);
  }

  private static void linkOrCopy(Path object, Path target) throws IOException {
    try {
      Files.createLink(target, object);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      throw e;
    } catch (FileSystemException tooManyLinks) {
      // ext4 allows 65,000, which empty files of many releases reach.
      Files.copy(object, target, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private Path fresh() {
    return temporary.resolve(UUID.randomUUID().toString());
  }

  private static String hash(Path file, long size) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[(int) Math.min(size + 1, MAX_BUFFER)];
    try (InputStream in = Files.newInputStream(file, NOFOLLOW_LINKS)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
