package dev.slipway.tool;

import dev.slipway.sandbox.DiskUse;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

/**
 * The tools that were fetched, {@code <directory>/<name>/<version>}, complete or not there. The
 * modification time of such a directory is when the tool was last asked for.
 */
final class ToolShelf {
  /** In a tool: the directories of this host that it cannot do without, a line each. */
  private static final String NEEDS = "needs";

  private static final String ASIDE = ".gone-";

  private static final Set<PosixFilePermission> READ =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.OTHERS_READ);
  private static final Set<PosixFilePermission> ENTER =
      EnumSet.of(
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_EXECUTE);

  private final Path directory;
  private final boolean root;

  /** What is there never changes. */
  private final ConcurrentMap<Path, Long> sizes = new ConcurrentHashMap<>();

  ToolShelf(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory);
      this.root = Files.getAttribute(directory, "unix:uid").equals(0);
      entries(directory)
          .filter(path -> path.getFileName().toString().startsWith(ASIDE))
          .forEach(Trees::delete); // which an earlier server did not come to delete
    } catch (IOException e) {
      throw new UncheckedIOException("the tools in " + directory + " cannot be opened", e);
    }
  }

  /** All of this name; one that needs what is no longer on the host does not count. */
  List<ProvidedTool> all(String name) {
    return versions(name).flatMap(version -> tool(name, version).stream()).toList();
  }

  /** Notes that a tool is in use now; answers whether it is still there. */
  synchronized boolean use(ProvidedTool tool, Instant now) {
    Path place = directory.resolve(tool.name()).resolve(tool.version());
    try {
      if (Files.isDirectory(place)) {
        Files.setLastModifiedTime(place, FileTime.from(now));
        return true;
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("noting the use of " + place + " failed", e);
    }
  }

  /**
   * Keeps a tool: {@code tree} moves here, readable to all and ours alone to change.
   *
   * @param tree with the tool's programs in {@code bin}
   * @param needs directories of the host
   * @param now when it counts as used first, whatever its files say
   */
  ProvidedTool put(String name, Version version, Path tree, List<Path> needs, Instant now) {
    Path versions = directory.resolve(name);
    Path place = versions.resolve(version.toString());
    try {
      Files.createDirectories(versions);
      if (!needs.isEmpty()) {
        Files.write(tree.resolve(NEEDS), needs.stream().map(Path::toString).toList());
      }
      settle(tree);
      Files.setLastModifiedTime(tree, FileTime.from(now));
      Synced.all(tree);
      Trees.delete(place); // there, it needs what is gone
      sizes.remove(place);
      Files.move(tree, place, StandardCopyOption.ATOMIC_MOVE);
      Synced.one(versions);
    } catch (IOException e) {
      throw new UncheckedIOException("keeping " + place + " failed", e);
    }
    return tool(name, version)
        .orElseThrow(() -> new IllegalStateException(place + " was kept and is not there"));
  }

  /** All that is there. */
  List<KeptTool> kept() {
    return entries(directory)
        .map(path -> path.getFileName().toString())
        .filter(name -> !name.startsWith("."))
        .flatMap(name -> versions(name).flatMap(version -> kept(name, version).stream()))
        .toList();
  }

  /** Does nothing where it was used since. */
  void delete(KeptTool tool) {
    Path place = directory.resolve(tool.name()).resolve(tool.version());
    Path aside = directory.resolve(ASIDE + UUID.randomUUID());
    synchronized (this) {
      try {
        if (!Files.getLastModifiedTime(place).toInstant().equals(tool.lastUsed())) {
          return;
        }
        Files.move(place, aside, StandardCopyOption.ATOMIC_MOVE);
        sizes.remove(place);
      } catch (NoSuchFileException gone) {
        return;
      } catch (IOException e) {
        throw new UncheckedIOException("deleting " + place + " failed", e);
      }
    }
    Trees.delete(aside);
  }

  private Optional<KeptTool> kept(String name, Version version) {
    Path place = directory.resolve(name).resolve(version.toString());
    try {
      Instant lastUsed = Files.getLastModifiedTime(place).toInstant();
      long bytes = sizes.computeIfAbsent(place, DiskUse::about);
      return Optional.of(new KeptTool(name, version.toString(), bytes, lastUsed));
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + place + " failed", e);
    }
  }

  private Stream<Version> versions(String name) {
    return entries(directory.resolve(name))
        .flatMap(path -> Version.parse(path.getFileName().toString()).stream());
  }

  private Optional<ProvidedTool> tool(String name, Version version) {
    Path place = directory.resolve(name).resolve(version.toString());
    List<Path> directories = new ArrayList<>(List.of(place));
    directories.addAll(needs(place));
    return directories.stream().allMatch(Files::isDirectory)
        ? Optional.of(
            new ProvidedTool(
                name, version.toString(), directories, Optional.of(place.resolve("bin"))))
        : Optional.empty();
  }

  private static List<Path> needs(Path place) {
    try {
      return Files.readAllLines(place.resolve(NEEDS)).stream().map(Path::of).toList();
    } catch (NoSuchFileException none) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + place + " failed", e);
    }
  }

  /** Makes all of it readable and ours. */
  private void settle(Path path) throws IOException {
    if (root) {
      Files.setAttribute(path, "unix:uid", 0, LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", 0, LinkOption.NOFOLLOW_LINKS);
    }
    if (Files.isSymbolicLink(path)) {
      return;
    }
    boolean isDirectory = Files.isDirectory(path);
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
    permissions.addAll(READ);
    permissions.add(PosixFilePermission.OWNER_WRITE);
    permissions.removeAll(
        EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE));
    if (isDirectory || permissions.contains(PosixFilePermission.OWNER_EXECUTE)) {
      permissions.addAll(ENTER);
    }
    Files.setPosixFilePermissions(path, permissions);
    if (isDirectory) {
      for (Path entry : entries(path).toList()) {
        settle(entry);
      }
    }
  }

  private static Stream<Path> entries(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList().stream();
    } catch (NoSuchFileException none) {
      return Stream.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + directory + " failed", e);
    }
  }
}
