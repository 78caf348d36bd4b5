package dev.slipway.build;

import dev.slipway.core.AccountId;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What package managers downloaded, {@code <directory>/<account>/npm}: for the builds of one
 * account only, so that none poisons another's. Thread-safe.
 *
 * <p>A build takes the cache away and brings it back, so no two write to it; one that comes
 * meanwhile begins with an empty one. The owner of an account's directory is the user that its
 * builds run as, which is how that is remembered.
 */
final class DownloadCaches {
  /** Apart from the users of running programs and of the system. */
  private static final int FIRST_UID = 300_000;

  private static final String NPM = "npm";

  private final Path directory;
  private final boolean root;

  DownloadCaches(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory);
      this.root = Files.getAttribute(directory, "unix:uid").equals(0);
    } catch (IOException e) {
      throw new UncheckedIOException("the caches in " + directory + " cannot be opened", e);
    }
  }

  /** The user that builds of this account run as; always the same one. */
  synchronized BuildUser user(AccountId account) {
    Path own = directory.resolve(account.value());
    try {
      if (!Files.isDirectory(own)) {
        int uid = freeUid();
        // Renamed when it is complete: a directory that is ours would be an account run as root.
        Path fresh = Files.createTempDirectory(directory, ".new-");
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwx------"));
        new BuildUser(uid, root).give(fresh);
        Files.move(fresh, own, StandardCopyOption.ATOMIC_MOVE);
      }
      return new BuildUser(uidOf(own), root);
    } catch (IOException e) {
      throw new UncheckedIOException("making the cache of " + account + " failed", e);
    }
  }

  /** Moves the npm cache of the account to {@code target}, or makes an empty one there. */
  synchronized void take(AccountId account, Path target) {
    BuildUser user = user(account);
    try {
      Path cache = directory.resolve(account.value()).resolve(NPM);
      if (Files.isDirectory(cache)) {
        Files.move(cache, target, StandardCopyOption.ATOMIC_MOVE);
      } else {
        user.give(Files.createDirectory(target));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("taking the cache of " + account + " failed", e);
    }
  }

  /** Moves the npm cache back, unless another build brought its own first. */
  synchronized void giveBack(AccountId account, Path cache) {
    Path place = directory.resolve(account.value()).resolve(NPM);
    try {
      if (Files.isDirectory(cache) && !Files.exists(place)) {
        Files.move(cache, place, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (AtomicMoveNotSupportedException e) {
      throw new IllegalStateException("builds and caches must be on one file system", e);
    } catch (IOException e) {
      throw new UncheckedIOException("keeping the cache of " + account + " failed", e);
    }
    Trees.delete(cache);
  }

  private int freeUid() throws IOException {
    try (Stream<Path> accounts = Files.list(directory)) {
      Optional<Integer> highest = accounts.map(DownloadCaches::uidOf).max(Integer::compare);
      return Math.max(FIRST_UID, highest.orElse(0) + 1);
    }
  }

  private static int uidOf(Path path) {
    try {
      return (Integer) Files.getAttribute(path, "unix:uid");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
