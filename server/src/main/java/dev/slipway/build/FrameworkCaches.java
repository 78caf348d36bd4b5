package dev.slipway.build;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.slipway.core.ProjectId;
import dev.slipway.sandbox.DiskUse;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

/**
 * What frameworks keep from one build to the next, {@code <directory>/<project>/<cache>}. A build
 * takes a cache away and brings it back, so no two write to it; one that comes meanwhile begins
 * without. Thread-safe.
 */
final class FrameworkCaches {
  private final Path directory;
  private final Path doomed;
  private final Clock clock;

  /** Of those that were kept since the start, or asked for; what is in one changes only outside. */
  private final ConcurrentMap<Path, Long> sizes = new ConcurrentHashMap<>();

  FrameworkCaches(Path directory, Clock clock) {
    this.directory = directory;
    this.doomed = directory.resolve("doomed");
    this.clock = clock;
    try {
      Trees.delete(doomed);
      Files.createDirectories(doomed);
    } catch (IOException e) {
      throw new UncheckedIOException("the caches in " + directory + " cannot be opened", e);
    }
  }

  /**
   * One that nobody has taken.
   *
   * @param bytes on the disk, about
   */
  record Kept(Path place, long bytes, Instant lastUsed) {}

  /**
   * Moves a project's cache to where its build looks for it, if there is one, and nothing there.
   *
   * @param root of the files that the build writes; links in it are not followed
   * @param cache relative to it
   */
  synchronized void take(ProjectId project, Path root, String cache, BuildUser user) {
    Path place = place(project, cache);
    Path target = root.resolve(cache).normalize();
    try {
      if (Files.isDirectory(place)
          && isBelow(root, target)
          && user.makeParents(root, target)
          && !Files.exists(target, NOFOLLOW_LINKS)) {
        Files.move(place, target, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("taking the cache " + cache + " of " + project + " failed", e);
    }
  }

  /**
   * Takes a cache out of what a build wrote and, where the build succeeded, keeps it. Where another
   * build brought its own first, the larger one stays.
   */
  void giveBack(ProjectId project, Path root, String cache, boolean succeeded) {
    Path place = place(project, cache);
    Path written = root.resolve(cache).normalize();
    try {
      if (!isBelow(root, written) || !isReached(root, written)) {
        return;
      }
      Path needless = succeeded ? keepLarger(written, place) : written;
      Trees.delete(needless);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "keeping the cache " + cache + " of " + project + " failed", e);
    }
  }

  /** Answers what to delete. */
  private synchronized Path keepLarger(Path written, Path place) throws IOException {
    Path displaced = doomed.resolve(UUID.randomUUID().toString());
    Path needless = written;
    if (!Files.exists(place) || DiskUse.about(written) > DiskUse.about(place)) {
      Files.createDirectories(place.resolveSibling(""));
      if (Files.exists(place)) {
        Files.move(place, displaced, StandardCopyOption.ATOMIC_MOVE);
      }
      sizes.remove(place);
      Files.move(written, place, StandardCopyOption.ATOMIC_MOVE);
      needless = displaced;
    }
    Files.setLastModifiedTime(place, FileTime.from(clock.instant()));
    return needless;
  }

  synchronized List<Kept> kept() {
    try (Stream<Path> places = Files.walk(directory, 2)) {
      List<Kept> all = new ArrayList<>();
      for (Path place : (Iterable<Path>) places::iterator) {
        if (directory.relativize(place).getNameCount() == 2 && !place.startsWith(doomed)) {
          long bytes = sizes.computeIfAbsent(place, DiskUse::about);
          all.add(new Kept(place, bytes, Files.getLastModifiedTime(place).toInstant()));
        }
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + directory + " failed", e);
    }
  }

  /** Does nothing where a build has just taken it. */
  synchronized void delete(Path place) {
    Path unreachable = doomed.resolve(UUID.randomUUID().toString());
    try {
      Files.move(place, unreachable, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException taken) {
      return;
    }
    Trees.delete(unreachable);
  }

  private Path place(ProjectId project, String cache) {
    return directory.resolve(project.value()).resolve(new Digest().add(cache).hex());
  }

  private static boolean isBelow(Path root, Path path) {
    return path.startsWith(root) && !path.equals(root);
  }

  private static boolean isReached(Path root, Path target) {
    Path path = root;
    for (Path name : root.relativize(target)) {
      path = path.resolve(name);
      if (!Files.isDirectory(path, NOFOLLOW_LINKS)) {
        return false;
      }
    }
    return true;
  }
}
