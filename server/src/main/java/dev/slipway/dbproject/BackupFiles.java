package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.BackupId;
import dev.slipway.core.FailureCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of backups: a folder for each database, and what is not finished beside the rest. */
final class BackupFiles {
  private static final String FINISHED = ".dump";
  private static final String UNFINISHED = ".partial";
  private static final Pattern ID = Pattern.compile("bkp_[0-9a-z]+");
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final BackupSettings settings;

  BackupFiles(BackupSettings settings) {
    this.settings = settings;
  }

  /** Of one that is complete. */
  Path file(Backup backup) {
    return folder(backup).resolve(backup.id() + FINISHED);
  }

  private Path folder(Backup backup) {
    return settings.directory().resolve(backup.databaseId().value());
  }

  /**
   * @throws AppFailure {@code DISK_FULL}
   */
  void requireRoom() {
    if (!hasRoom()) {
      throw full();
    }
  }

  boolean hasRoom() {
    try {
      Files.createDirectories(settings.directory(), OWNER_ONLY);
      return Files.getFileStore(settings.directory()).getUsableSpace() >= settings.minFreeBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("asking for free space of " + settings.directory(), e);
    }
  }

  static AppFailure full() {
    return new AppFailure(
        FailureCode.DISK_FULL,
        "The disk of the server has too little space left for a backup (limits.disk_free_min). Delete projects or databases, or give the server a larger disk.");
  }

  /** Where to write it; what earlier runs wrote of it is gone. */
  Path begin(Backup backup) {
    try {
      Files.createDirectories(folder(backup), OWNER_ONLY);
      discard(backup);
      return folder(backup)
          .resolve("%s.%x%s".formatted(backup.id(), System.nanoTime(), UNFINISHED));
    } catch (IOException e) {
      throw new UncheckedIOException("making the folder of " + backup.id() + " failed", e);
    }
  }

  /**
   * Makes what was written whole the backup's file, on disk when this returns.
   *
   * @return its bytes
   */
  long keep(Backup backup, Path written) {
    try {
      sync(written);
      long bytes = Files.size(written);
      Files.move(written, file(backup), StandardCopyOption.ATOMIC_MOVE);
      sync(folder(backup));
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException("keeping " + backup.id() + " failed", e);
    }
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Deletes what was begun of it. */
  void discard(Backup backup) {
    delete(
        files(folder(backup)),
        file -> idIn(file).equals(Optional.of(backup.id())) && !file.equals(file(backup)));
  }

  /**
   * Deletes the files of backups that there are no more.
   *
   * @param known asked after the files are listed, as a row comes before its file
   */
  void collect(Supplier<Set<String>> known) {
    List<Path> files =
        files(settings.directory()).stream().flatMap(it -> files(it).stream()).toList();
    Set<String> kept = known.get();
    delete(files, file -> idIn(file).filter(id -> !kept.contains(id.value())).isPresent());
  }

  /** What dumps write has other names until it is whole, with this one in them. */
  private static Optional<BackupId> idIn(Path file) {
    return ID.matcher(file.getFileName().toString())
        .results()
        .findFirst()
        .map(found -> new BackupId(found.group()));
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + folder + " failed", e);
    }
  }

  private static void delete(List<Path> files, Predicate<Path> which) {
    for (Path file : files.stream().filter(which).toList()) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException("deleting " + file + " failed", e);
      }
    }
  }
}
