package dev.slipway.recovery;

import dev.slipway.db.Database;
import dev.slipway.db.FileHold;
import dev.slipway.db.StoreDump;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.zip.GZIPOutputStream;
import org.jdbi.v3.core.Handle;

/**
 * Writes all that a server has to one file, whether the server runs or not.
 *
 * <p>The store is read as one moment saw it, then the files that its rows name. They are never
 * changed, and not deleted as long as this has the {@link FileHold}.
 */
public final class Saving {
  /** Of {@code releases}. Layers that no release lies on are made again by the next build. */
  private static final List<String> OF_RELEASES = List.of("manifests", "objects", "variants");

  private final Database database;
  private final Path dataDir;
  private final Path keyFile;
  private final Clock clock;

  /**
   * @param keyFile the master key's
   */
  public Saving(Database database, Path dataDir, Path keyFile, Clock clock) {
    this.database = database;
    this.dataDir = dataDir;
    this.keyFile = keyFile;
    this.clock = clock;
  }

  /**
   * What was written.
   *
   * @param bytes of the archive
   * @param databases how many have a backup inside
   * @param withoutBackup the ids of those that have none, and are lost if this server is
   */
  public record Saved(long bytes, int releases, int databases, List<String> withoutBackup) {}

  /**
   * Whole or not at all; the file is for its owner alone.
   *
   * @param archive does not exist yet
   * @param keys whether the master key goes with it
   * @param progress told again and again how many bytes are written
   * @throws IllegalStateException with a sentence for the operator
   */
  public Saved save(Path archive, boolean keys, LongConsumer progress) {
    Path file = archive.toAbsolutePath().normalize();
    try (FileHold hold = FileHold.acquire(database.address());
        ArchiveWriter writer = new ArchiveWriter(file, progress)) {
      Named named = addStore(writer, keys);
      addFiles(writer, keys, named.backups());
      hold.requireStillHeld();
      return new Saved(writer.finish(), named.releases(), named.databases(), named.withoutBackup());
    } catch (IOException | UncheckedIOException e) {
      throw failure(file, e);
    }
  }

  private static RuntimeException failure(Path file, Exception cause) {
    return new IllegalStateException(
        Room.isFull(cause)
            ? "the disk of %s is full: nothing is left of the backup".formatted(file)
            : "writing %s failed: %s".formatted(file, cause),
        cause);
  }

  /**
   * What the rows name.
   *
   * @param backups their files, by their ids
   */
  private record Named(
      int releases, Map<String, Path> backups, int databases, List<String> withoutBackup) {}

  private Named addStore(ArchiveWriter writer, boolean keys) throws IOException {
    try (StoreDump dump = StoreDump.begin(database.address())) {
      List<StoreDump.Table> tables = dump.tables();
      Named named = dump.read(this::named);
      Manifest manifest =
          new Manifest(
              Manifest.FORMAT,
              dump.schema(),
              clock.instant().toString(),
              tables,
              dump.sequences(),
              keys,
              keyDigest(),
              List.copyOf(named.backups().keySet()));
      writer.add(Layout.MANIFEST, manifest.write());
      for (StoreDump.Table table : tables) {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(writer.scratch()))) {
          dump.copy(table, out);
        }
        requirePresent(writer.add(Layout.rows(table.name()), writer.scratch()));
      }
      return named;
    }
  }

  private Named named(Handle tx) {
    Map<String, Path> files = new TreeMap<>();
    Set<String> databases = new HashSet<>();
    RecoveryStore.backups(tx)
        .forEach((backup, owner) -> {
          Path file = dataDir.resolve("backups").resolve(owner).resolve(backup + ".dump");
          if (Files.exists(file)) {
            files.put(backup, file);
            databases.add(owner);
          }
        });
    return new Named(
        RecoveryStore.releases(tx),
        files,
        databases.size(),
        RecoveryStore.withoutBackup(tx, files.keySet()));
  }

  private String keyDigest() throws IOException {
    try {
      return KeyDigest.of(keyFile);
    } catch (NoSuchFileException e) {
      throw new IllegalStateException(
          "the master key %s is missing: without it a backup is of no use".formatted(keyFile), e);
    }
  }

  private void addFiles(ArchiveWriter writer, boolean keys, Map<String, Path> backups)
      throws IOException {
    if (keys) {
      requirePresent(writer.add(Layout.KEY, keyFile));
    }
    // The same name: what is under way in the store is under that of its worker.
    requirePresent(writer.add(Layout.DATA + "worker", dataDir.resolve("worker")));
    for (String part : OF_RELEASES) {
      writer.addTree(Layout.DATA + "releases/" + part, dataDir.resolve("releases").resolve(part));
    }
    writer.addTree(Layout.DATA + "uploads", dataDir.resolve("uploads"));
    for (Path backup : backups.values()) {
      requirePresent(writer.add(Layout.DATA + dataDir.relativize(backup), backup));
    }
  }

  private void requirePresent(boolean found) {
    if (!found) {
      throw new IllegalStateException(
          "a file of the server in %s went away while it was copied: try again".formatted(dataDir));
    }
  }
}
