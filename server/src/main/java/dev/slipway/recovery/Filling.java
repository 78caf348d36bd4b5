package dev.slipway.recovery;

import dev.slipway.db.StoreAddress;
import dev.slipway.db.StoreDump;
import dev.slipway.db.StoreLoad;
import dev.slipway.dbproject.LostStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.GZIPInputStream;

/** The rows of an archive in a store, which keeps them with {@link #commit} alone. */
final class Filling implements AutoCloseable {
  private final StoreLoad load;
  private final LostStore.Outcome databases;

  /**
   * @param unpacked the archive
   * @param lostServer where databases of applications were that are there no more
   * @throws IllegalStateException with a sentence for the operator where they are not for this
   *     program
   */
  Filling(
      StoreAddress store,
      Manifest manifest,
      Path unpacked,
      Room room,
      String lostServer,
      Instant now)
      throws IOException {
    this.load = StoreLoad.begin(store, manifest.schema(), manifest.tables());
    try {
      for (StoreDump.Table table : manifest.tables()) {
        copy(table, unpacked.resolve(Layout.rows(table.name())), room);
      }
      manifest.sequences().forEach(load::sequence);
      this.databases =
          load.change(tx -> {
            RecoveryStore.forgetBackupsBut(tx, manifest.backups());
            return LostStore.bringBack(tx, lostServer, now);
          });
    } catch (IOException | RuntimeException e) {
      load.close();
      throw e;
    }
  }

  private void copy(StoreDump.Table table, Path rows, Room room) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(rows))) {
      load.copy(table, room.watching(in));
    }
  }

  /** What becomes of the databases of applications. */
  LostStore.Outcome databases() {
    return databases;
  }

  void commit() {
    load.commit();
  }

  @Override
  public void close() {
    load.close();
  }
}
