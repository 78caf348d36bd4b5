package dev.slipway.tool;

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
import java.util.stream.Stream;

/**
 * The tools that were fetched, {@code <directory>/<name>/<version>}, complete or not there. The
 * modification time of such a directory is when the tool was last asked for.
 */
final class Shelf {
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

  Shelf(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory);
      this.root = Files.getAttribute(directory, "unix:uid").equals(0);
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
   */
  ProvidedTool put(String name, Version version, Path tree, List<Path> needs) {
    Path versions = directory.resolve(name);
    Path place = versions.resolve(version.toString());
    try {
      Files.createDirectories(versions);
      if (!needs.isEmpty()) {
        Files.write(tree.resolve(NEEDS), needs.stream().map(Path::toString).toList());
      }
      settle(tree);
      Synced.all(tree);
      Trees.delete(place); // there, it needs what is gone
      Files.move(tree, place, StandardCopyOption.ATOMIC_MOVE);
      Synced.one(versions);
    } catch (IOException e) {
      throw new UncheckedIOException("keeping " + place + " failed", e);
    }
    return tool(name, version)
        .orElseThrow(() -> new IllegalStateException(place + " was kept and is not there"));
  }

  /**
   * Deletes what was last used before.
   *
   * @param inUse ids of tools that stay
   */
  void collect(Set<String> inUse, Instant before) {
    for (Path tool : entries(directory).toList()) {
      String name = tool.getFileName().toString();
      if (!name.startsWith(".")) {
        versions(name)
            .filter(version -> !inUse.contains(name + "@" + version))
            .forEach(version -> putAside(name, version, before));
      }
    }
    // Also what an earlier call did not come to delete.
    entries(directory)
        .filter(path -> path.getFileName().toString().startsWith(ASIDE))
        .forEach(Trees::delete);
  }

  private synchronized void putAside(String name, Version version, Instant before) {
    Path place = directory.resolve(name).resolve(version.toString());
    try {
      if (Files.getLastModifiedTime(place).toInstant().isBefore(before)) {
        Path aside = directory.resolve(ASIDE + name + "-" + version);
        Trees.delete(aside);
        Files.move(place, aside, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("deleting " + place + " failed", e);
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
