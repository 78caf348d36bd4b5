package dev.slipway.recovery;

import dev.slipway.db.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the master key of a server is to be.
 *
 * @param keyFile below the data directory, or apart from it
 */
record KeyPlace(Path dataDir, Path keyFile) {
  private boolean isApart() {
    return !keyFile.startsWith(dataDir);
  }

  /**
   * The key that is taken where it is not that in the archive.
   *
   * @param given by the operator
   * @return empty where that in the archive is taken
   * @throws IllegalStateException with a sentence for the operator where the key of another server
   *     is in that place, or there is no key
   */
  Optional<Path> beside(Manifest manifest, Optional<Path> given) throws IOException {
    Optional<Path> present = Optional.of(keyFile).filter(it -> isApart() && Files.exists(it));
    if (present.isPresent() && !isOf(present.get(), manifest)) {
      throw new IllegalStateException(
          "%s is the key of another server: move it away first, or name another secrets.key_file"
              .formatted(keyFile));
    }
    if (given.isPresent() && !isOf(given.get(), manifest)) {
      throw new IllegalStateException(
          "%s is another key than the one that the secrets in the archive are sealed with"
              .formatted(given.get()));
    }
    Optional<Path> beside = given.or(() -> present);
    if (beside.isEmpty() && !manifest.keys()) {
      throw new IllegalStateException(
          "the archive was written without the master key: name that with --key");
    }
    return beside;
  }

  private static boolean isOf(Path key, Manifest manifest) throws IOException {
    return KeyDigest.of(key).equals(manifest.keyDigest());
  }

  /** Puts it where it is moved from with all else, unless its place is apart. */
  void make(Path key, Path made) throws IOException {
    if (!isApart()) {
      PrivateFile.write(made.resolve(dataDir.relativize(keyFile)), Files.readString(key));
    }
  }

  /** Puts it in its place, where that is apart and empty. */
  void bring(Path key) throws IOException {
    if (isApart() && !Files.exists(keyFile)) {
      PrivateFile.write(keyFile, Files.readString(key));
    }
  }
}
