package dev.slipway.recovery;

import dev.slipway.db.EmbeddedPostgres;
import dev.slipway.db.PostgresSettings;
import dev.slipway.db.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Exchanges what is in a data directory, whose lock is held. What was there goes into a folder of
 * the same directory, which may be a mount, or one of a parent that is not ours.
 *
 * <p>A marker in the directory says from the first move to {@link #finish} that the exchange is
 * under way, and of which direction the next move is. Where it was cut off no server starts, and
 * the next restore goes on.
 */
final class Replaced {
  /** Taken by whoever is at work here. */
  private static final String LOCK = "lock";

  private static final String UNFINISHED = ".unfinished-";
  private static final String ASIDE = "replaced-";

  private final Path dataDir;
  private final Path movingOut;
  private final Path movingIn;

  Replaced(Path dataDir) {
    this.dataDir = dataDir;
    this.movingOut = dataDir.resolve(".restore-moves-out");
    this.movingIn = dataDir.resolve(".restore-moves-in");
  }

  /**
   * What a marker says.
   *
   * @param aside the name of the folder that everything goes to; empty where nothing was there
   * @param store that is filled last; empty where it is among what is moved in
   */
  private record Marker(String aside, String store) {
    static Marker read(Path file) throws IOException {
      List<String> lines = Files.readAllLines(file);
      return new Marker(lines.get(0), lines.get(1));
    }

    void write(Path file) throws IOException {
      PrivateFile.write(file, aside + "\n" + store + "\n");
    }
  }

  /** On the same file system; whatever is in there is of use to nobody else. */
  Path workplace() {
    return dataDir.resolve(UNFINISHED + "restore");
  }

  /** Whether one that was cut off had begun to move in what it had made. */
  private boolean isMovingIn() {
    return Files.exists(movingIn);
  }

  boolean isUnderway() {
    return isMovingIn() || Files.exists(movingOut);
  }

  /** Whether one that was cut off had begun to move in what goes with that store. */
  boolean isMovingInFor(String store) throws IOException {
    return isMovingIn() && Marker.read(movingIn).store().equals(store);
  }

  /**
   * Takes away what one that was cut off had moved in: the archive has it. The marker stays, so
   * that no server starts before something else is there.
   *
   * @param to where it goes
   */
  void undoMovingIn(Path to) throws IOException {
    if (isMovingIn()) {
      for (Path entry : present()) {
        Files.move(entry, to.resolve(entry.getFileName()));
      }
    }
  }

  boolean isEmpty() throws IOException {
    return present().isEmpty();
  }

  /**
   * @param wanted whether what is there may be moved aside
   * @throws IllegalStateException with a sentence for the operator
   */
  void requireReplaceable(boolean wanted) throws IOException {
    if (!wanted && !isMovingIn() && !isEmpty()) {
      throw new IllegalStateException(
          "%s is not empty: name another data_dir, or say --replace to move what is there aside"
              .formatted(dataDir));
    }
    if (EmbeddedPostgres.isAlive(PostgresSettings.below(dataDir))) {
      throw new IllegalStateException(
          "the store in %s is still ending: try again in a moment".formatted(dataDir));
    }
  }

  /**
   * Begins the exchange, or goes on with one that was cut off; what was there is out of the way
   * when this returns.
   *
   * @param store that is filled last; empty where it is among what is moved in
   * @return where it is now; empty where there was nothing
   */
  Optional<Path> moveOut(Instant now, String store) throws IOException {
    if (!isMovingIn()) {
      List<Path> present = present();
      if (!Files.exists(movingOut)) {
        new Marker(present.isEmpty() ? "" : asideName(now), store).write(movingOut);
      }
      String aside = Marker.read(movingOut).aside();
      for (Path entry : present) {
        Path folder = Files.createDirectories(dataDir.resolve(aside));
        Files.move(entry, folder.resolve(entry.getFileName()));
      }
      Files.move(movingOut, movingIn, StandardCopyOption.ATOMIC_MOVE);
    }
    String aside = Marker.read(movingIn).aside();
    new Marker(aside, store).write(movingIn);
    return aside.isEmpty() ? Optional.empty() : Optional.of(dataDir.resolve(aside));
  }

  private static String asideName(Instant now) {
    return ASIDE + now.truncatedTo(ChronoUnit.SECONDS).toString().replaceAll("[-:]", "");
  }

  void moveIn(Path made) throws IOException {
    try (var entries = Files.newDirectoryStream(made)) {
      for (Path entry : entries) {
        Files.move(entry, dataDir.resolve(entry.getFileName()));
      }
    }
  }

  /** A server may start from now on. */
  void finish() throws IOException {
    Files.delete(movingIn);
  }

  private List<Path> present() throws IOException {
    List<Path> found = new ArrayList<>();
    try (var entries = Files.newDirectoryStream(dataDir)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (!name.equals(LOCK)
            && !name.startsWith(UNFINISHED)
            && !name.startsWith(ASIDE)
            && !entry.equals(movingOut)
            && !entry.equals(movingIn)) {
          found.add(entry);
        }
      }
    }
    return found;
  }
}
