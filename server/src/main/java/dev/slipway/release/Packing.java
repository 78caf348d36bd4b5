package dev.slipway.release;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.slipway.core.RawPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Turns a directory into the tree of a release, in place: its files become one with the objects,
 * its owner ours. May be stopped at any point and done again. For one directory.
 */
final class Packing {
  // Programs may write where this says, in their own copy-on-write view; the store itself is
  // closed to all users but ours.
  static final Set<PosixFilePermission> FOLDER_MODE = PosixFilePermissions.fromString("rwxrwxrwx");

  private final Objects objects;
  private final Path root;
  private final int owner;
  private final List<ReleaseManifest.Entry> foldersAndLinks = new ArrayList<>();
  private final List<File> files = new ArrayList<>();

  private record File(Path path, boolean executable, long bytes) {}

  /**
   * @param owner the user that all is given to, or negative to leave it
   */
  Packing(Objects objects, Path root, int owner) {
    this.objects = objects;
    this.root = root;
    this.owner = owner;
  }

  ReleaseManifest run() throws IOException {
    takeIn(root);
    try (Stream<File> all = files.parallelStream()) {
      Stream<ReleaseManifest.Entry> contents = all.map(this::adopt);
      return new ReleaseManifest(
          Stream.concat(contents, foldersAndLinks.stream())
              .sorted(Comparator.comparing(ReleaseManifest.Entry::path))
              .toList());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void takeIn(Path folder) throws IOException {
    give(folder);
    // Before it is read: a build may leave directories that not even their owner can list.
    Files.setPosixFilePermissions(folder, FOLDER_MODE);
    try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
      for (Path child : children) {
        takeInChild(child);
      }
    }
  }

  private void takeInChild(Path child) throws IOException {
    PosixFileAttributes attributes =
        Files.readAttributes(child, PosixFileAttributes.class, NOFOLLOW_LINKS);
    if (attributes.isDirectory()) {
      foldersAndLinks.add(new ReleaseManifest.Folder(name(child)));
      takeIn(child);
    } else if (attributes.isSymbolicLink()) {
      give(child);
      String target = RawPath.encode(Files.readSymbolicLink(child));
      foldersAndLinks.add(new ReleaseManifest.Link(name(child), target));
    } else if (attributes.isRegularFile()) {
      if (!attributes.permissions().contains(PosixFilePermission.OWNER_READ)) {
        Files.setPosixFilePermissions(child, PosixFilePermissions.fromString("rw-------"));
      }
      boolean executable = attributes.permissions().contains(PosixFilePermission.OWNER_EXECUTE);
      files.add(new File(child, executable, attributes.size()));
    } else {
      Files.delete(child); // a socket, pipe or device is no part of a release
    }
  }

  private ReleaseManifest.Entry adopt(File file) {
    try {
      String object = objects.adopt(file.path(), file.executable(), owner);
      return new ReleaseManifest.Content(name(file.path()), object, file.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void give(Path path) throws IOException {
    if (owner >= 0) {
      Files.setAttribute(path, "unix:uid", owner, NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", owner, NOFOLLOW_LINKS);
    }
  }

  private String name(Path path) {
    return RawPath.encode(root.relativize(path));
  }
}
