package dev.slipway.recovery;

import dev.slipway.db.DirectoryLock;
import dev.slipway.db.EmbeddedPostgres;
import dev.slipway.db.PostgresSettings;
import dev.slipway.db.SoleServer;
import dev.slipway.db.StoreAddress;
import dev.slipway.db.StoreLoad;
import dev.slipway.dbproject.LostStore;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Makes a data directory, and what is in its store, from an archive. All is made beside what is
 * there and exchanged at the end; cut off before, nothing has changed, and cut off then, it is run
 * again.
 */
public final class Restoration {
  private final Path dataDir;
  private final KeyPlace keyPlace;
  private final Optional<StoreAddress> external;
  private final long minFreeBytes;
  private final String lostServer;
  private final Runnable endPrograms;
  private final Clock clock;

  /**
   * @param keyFile where the master key shall be
   * @param external the store, where it is not embedded; it must be empty
   * @param minFreeBytes that the disk shall have left
   * @param lostServer of the databases of applications; in the data directory, so it is gone
   * @param endPrograms ends what still runs of a server that is replaced
   */
  public Restoration(
      Path dataDir,
      Path keyFile,
      Optional<StoreAddress> external,
      long minFreeBytes,
      String lostServer,
      Runnable endPrograms,
      Clock clock) {
    this.dataDir = dataDir.toAbsolutePath().normalize();
    this.keyPlace = new KeyPlace(this.dataDir, keyFile.toAbsolutePath().normalize());
    this.external = external;
    this.minFreeBytes = minFreeBytes;
    this.lostServer = lostServer;
    this.endPrograms = endPrograms;
    this.clock = clock;
  }

  /**
   * What is asked for.
   *
   * @param key the master key, where it was kept apart
   * @param replace whether what is in the data directory is moved aside; otherwise it must be empty
   */
  public record Wish(Path archive, Optional<Path> key, boolean replace) {}

  /**
   * What was restored.
   *
   * @param createdAt when the archive was made, ISO 8601
   * @param databases what becomes of those of applications that were in the data directory
   * @param aside where what was there before is now
   */
  public record Restored(String createdAt, LostStore.Outcome databases, Optional<Path> aside) {}

  /**
   * For a server that has the data directory's lock: deletes what a restore left that was killed
   * before it changed anything.
   *
   * @throws IllegalStateException as {@link #requireWhole}
   */
  public static void clear(Path dataDir) {
    requireWhole(dataDir);
    Trees.delete(new Replaced(dataDir).workplace());
  }

  /**
   * For whoever uses a data directory.
   *
   * @throws IllegalStateException with a sentence for the operator where a restore was cut off
   */
  public static void requireWhole(Path dataDir) {
    if (new Replaced(dataDir).isUnderway()) {
      throw new IllegalStateException(
          "a restore into %s was cut off: run ./slipway admin restore again".formatted(dataDir));
    }
  }

  /**
   * @param progress told again and again how many bytes of the archive are read
   * @throws IllegalStateException with a sentence for the operator
   */
  public Restored restore(Wish wish, LongConsumer progress) {
    requireReadable(wish.archive());
    wish.key().ifPresent(Restoration::requireReadable);
    try {
      Files.createDirectories(dataDir);
      try (DirectoryLock _ = DirectoryLock.acquire(dataDir)) {
        if (external.isEmpty()) {
          return beginning(wish, progress);
        }
        try (SoleServer _ = SoleServer.acquire(external.get())) {
          return beginning(wish, progress);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw new IllegalStateException(
          Room.isFull(e)
              ? "the disk of %s is full: nothing was restored".formatted(dataDir)
              : "restoring %s failed: %s".formatted(wish.archive(), e),
          e);
    }
  }

  private static void requireReadable(Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IllegalStateException("there is no file %s that can be read".formatted(file));
    }
  }

  private Restored beginning(Wish wish, LongConsumer progress) throws IOException {
    Replaced replaced = new Replaced(dataDir);
    if (external.isPresent() && !StoreLoad.isEmpty(external.get())) {
      throw notEmpty(external.get().jdbcUrl(), replaced);
    }
    replaced.requireReplaceable(wish.replace());
    try (ArchiveReader archive = new ArchiveReader(wish.archive())) {
      StoreLoad.requireSchema(archive.manifest().schema());
      Optional<Path> keyBeside = keyPlace.beside(archive.manifest(), wish.key());
      Room room = new Room(dataDir, minFreeBytes);
      room.require(Files.size(wish.archive()));
      try (Workplace workplace = new Workplace(replaced.workplace())) {
        replaced.undoMovingIn(workplace.discarded());
        archive.unpack(workplace.unpacked(), progress);
        Path key = keyBeside.orElse(workplace.unpacked().resolve(Layout.KEY));
        return restore(archive.manifest(), key, workplace, replaced, room);
      }
    }
  }

  /** The store is filled last: where it is full, only a word of that was missing. */
  private IllegalStateException notEmpty(String store, Replaced replaced) throws IOException {
    if (replaced.isMovingInFor(store)) {
      replaced.finish();
      return new IllegalStateException(
          "the restore that was cut off in %s had come to its end: start the server"
              .formatted(dataDir));
    }
    return new IllegalStateException(
        "the store at %s is not empty: nothing of it is overwritten; make an empty database and name that in store.url"
            .formatted(store));
  }

  private Restored restore(
      Manifest manifest, Path key, Workplace workplace, Replaced replaced, Room room)
      throws IOException {
    Path unpacked = workplace.unpacked();
    Path made = workplace.made();
    keyPlace.make(key, made);
    if (external.isPresent()) {
      try (Filling filling = filling(external.get(), manifest, unpacked, room)) {
        Optional<Path> aside = exchange(workplace, key, replaced);
        filling.commit();
        replaced.finish();
        return new Restored(manifest.createdAt(), filling.databases(), aside);
      }
    }
    LostStore.Outcome databases = makeStore(manifest, unpacked, made, room);
    Optional<Path> aside = exchange(workplace, key, replaced);
    replaced.finish();
    return new Restored(manifest.createdAt(), databases, aside);
  }

  private LostStore.Outcome makeStore(Manifest manifest, Path unpacked, Path made, Room room)
      throws IOException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(PostgresSettings.below(made));
        Filling filling = filling(postgres.address(), manifest, unpacked, room)) {
      filling.commit();
      return filling.databases();
    }
  }

  private Filling filling(StoreAddress store, Manifest manifest, Path unpacked, Room room)
      throws IOException {
    return new Filling(store, manifest, unpacked, room, lostServer, clock.instant());
  }

  private Optional<Path> exchange(Workplace workplace, Path key, Replaced replaced)
      throws IOException {
    takeFiles(workplace.unpacked().resolve(Layout.DATA), workplace.made());
    flush();
    if (!replaced.isEmpty()) {
      endPrograms.run();
    }
    Optional<Path> aside =
        replaced.moveOut(clock.instant(), external.map(StoreAddress::jdbcUrl).orElse(""));
    keyPlace.bring(key);
    replaced.moveIn(workplace.made());
    flush();
    return aside;
  }

  private static void takeFiles(Path from, Path made) throws IOException {
    try (var entries = Files.newDirectoryStream(from)) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry)) {
          Workplace.folder(entry, "rwx------");
        }
        Files.move(entry, made.resolve(entry.getFileName()));
      }
    }
  }

  /** One flush of the file system costs less than one of each of many thousand files. */
  private void flush() throws IOException {
    try {
      if (new ProcessBuilder("sync", "--file-system", dataDir.toString()).start().waitFor() != 0) {
        throw new IOException("the disk of %s cannot be flushed".formatted(dataDir));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + dataDir + " was written", e);
    }
  }
}
