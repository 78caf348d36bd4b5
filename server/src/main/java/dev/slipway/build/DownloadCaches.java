package dev.slipway.build;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.slipway.sandbox.DiskUse;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

/**
 * What package managers downloaded, {@code <directory>/<owner>/downloads/<manager>}: for the builds
 * of one owner only, so that none poisons another's. Thread-safe.
 *
 * <p>A build takes the cache away and brings it back, so no two write to it; one that comes
 * meanwhile begins with an empty one. The user that an owner's directory belongs to is the one that
 * its builds run as, which is how that is remembered.
 */
final class DownloadCaches {
  /** Apart from the users of running programs and of the system. */
  private static final int FIRST_UID = 300_000;

  private static final String DOWNLOADS = "downloads";

  /** Walking through downloads takes a second or so: not after each build. */
  private static final Duration MEASURED_FOR = Duration.ofHours(1);

  private final Path directory;
  private final Clock clock;
  private final boolean root;
  private final ConcurrentMap<Path, Measured> measured = new ConcurrentHashMap<>();

  DownloadCaches(Path directory, Clock clock) {
    this.directory = directory;
    this.clock = clock;
    try {
      Files.createDirectories(directory);
      this.root = Files.getAttribute(directory, "unix:uid").equals(0);
      for (Path account : entries(directory)) {
        entries(account).forEach(DownloadCaches::deleteLeftover);
        deleteLeftover(account);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the caches in " + directory + " cannot be opened", e);
    }
  }

  /** The user that builds of this owner run as; always the same one. */
  synchronized BuildUser user(CacheOwner owner) {
    Path own = directory.resolve(owner.folder());
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
      throw new UncheckedIOException("making the cache of " + owner.folder() + " failed", e);
    }
  }

  /** Moves the downloads of the owner to {@code target}, or makes an empty one there. */
  synchronized void take(CacheOwner owner, Path target) {
    BuildUser user = user(owner);
    try {
      Path cache = directory.resolve(owner.folder()).resolve(DOWNLOADS);
      if (Files.isDirectory(cache)) {
        Files.move(cache, target, StandardCopyOption.ATOMIC_MOVE);
      } else {
        user.give(Files.createDirectory(target));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("taking the cache of " + owner.folder() + " failed", e);
    }
  }

  /** Moves the downloads back. Where another build brought its own first, the larger ones stay. */
  void giveBack(CacheOwner owner, Path cache) {
    Path place = directory.resolve(owner.folder()).resolve(DOWNLOADS);
    List<Path> smaller = new ArrayList<>(List.of(cache));
    synchronized (this) {
      try {
        if (!Files.exists(place)) {
          if (Files.isDirectory(cache)) {
            Files.move(cache, place, StandardCopyOption.ATOMIC_MOVE);
          }
        } else {
          for (Path manager : entries(cache)) {
            keepLarger(manager, place.resolve(manager.getFileName())).ifPresent(smaller::add);
          }
        }
        noteUse(place);
      } catch (AtomicMoveNotSupportedException e) {
        throw new IllegalStateException("builds and caches must be on one file system", e);
      } catch (IOException e) {
        throw new UncheckedIOException("keeping the cache of " + owner.folder() + " failed", e);
      }
    }
    smaller.forEach(Trees::delete);
  }

  /** Puts one manager's downloads where another build's may be; answers those that gave way. */
  private Optional<Path> keepLarger(Path brought, Path place) throws IOException {
    Optional<Path> displaced = Optional.empty();
    if (Files.exists(place, NOFOLLOW_LINKS)) {
      if (DiskUse.about(brought) <= DiskUse.about(place)) {
        return Optional.empty();
      }
      displaced = Optional.of(unreachable(place));
      Files.move(place, displaced.get(), StandardCopyOption.ATOMIC_MOVE);
    }
    Files.move(brought, place, StandardCopyOption.ATOMIC_MOVE);
    measured.remove(place);
    return displaced;
  }

  /** Beside the downloads that a manager's are among. */
  private static Path unreachable(Path manager) {
    return manager.resolveSibling("").resolveSibling(".gone-" + UUID.randomUUID());
  }

  /**
   * The downloads of one manager for one account that no build has taken.
   *
   * @param bytes on the disk, as they were an hour ago at most
   * @param lastUsed when a build of the account brought them back
   */
  record Kept(Path place, long bytes, Instant lastUsed) {}

  private record Measured(long bytes, Instant at) {}

  /** What there is to delete. */
  List<Kept> kept() {
    List<Kept> all = new ArrayList<>();
    for (Path account : entries(directory)) {
      Path downloads = account.resolve(DOWNLOADS);
      for (Path place : entries(downloads)) {
        lastUsed(place).ifPresent(at -> all.add(new Kept(place, bytes(place), at)));
      }
    }
    measured.keySet().removeIf(place -> all.stream().noneMatch(kept -> kept.place().equals(place)));
    return all;
  }

  /** Does nothing where a build has just taken it. */
  void delete(Path place) {
    Path unreachable = unreachable(place);
    synchronized (this) {
      try {
        Files.move(place, unreachable, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException taken) {
        return;
      }
    }
    measured.remove(place);
    Trees.delete(unreachable);
  }

  /** Empty where a build has just taken it. */
  private static Optional<Instant> lastUsed(Path place) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(place, BasicFileAttributes.class, NOFOLLOW_LINKS);
      return Optional.of(attributes.lastModifiedTime().toInstant());
    } catch (IOException taken) {
      return Optional.empty();
    }
  }

  private void noteUse(Path downloads) throws IOException {
    for (Path place : entries(downloads)) {
      if (Files.isDirectory(place, NOFOLLOW_LINKS)) { // a link leads to where a program wanted
        Files.setLastModifiedTime(place, FileTime.from(clock.instant()));
      }
    }
  }

  /** What a crash left half made or half deleted. */
  private static void deleteLeftover(Path path) {
    if (path.getFileName().toString().startsWith(".")) {
      Trees.delete(path);
    }
  }

  private static List<Path> entries(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + directory + " failed", e);
    }
  }

  private long bytes(Path place) {
    Instant now = clock.instant();
    Measured last =
        measured.compute(
            place,
            (_, known) ->
                known != null && known.at().plus(MEASURED_FOR).isAfter(now)
                    ? known
                    : new Measured(DiskUse.about(place), now));
    return last.bytes();
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
