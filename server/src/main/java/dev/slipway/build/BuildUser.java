package dev.slipway.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The user of the host that the builds of one account run as.
 *
 * @param uid also its group; only used where we are root
 * @param root whether we are
 */
record BuildUser(int uid, boolean root) {
  /** Makes it the owner of a file, directory or link. */
  Path give(Path path) throws IOException {
    if (root) {
      Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", uid, LinkOption.NOFOLLOW_LINKS);
    }
    return path;
  }

  /**
   * Makes the directories on the way from {@code root} to {@code path} that are not there, and it
   * their owner.
   *
   * @return false where a file or a link is on the way: that is left as it is
   */
  boolean makeParents(Path root, Path path) throws IOException {
    Path parent = root;
    for (Path name : root.relativize(path.resolveSibling(""))) {
      parent = parent.resolve(name);
      if (!Files.exists(parent, LinkOption.NOFOLLOW_LINKS)) {
        give(Files.createDirectory(parent));
      } else if (!Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
    }
    return true;
  }

  /** Makes it the owner of a tree. */
  void giveAll(Path tree) throws IOException {
    if (root) {
      try (Stream<Path> all = Files.walk(tree)) {
        for (Path path : (Iterable<Path>) all::iterator) {
          give(path);
        }
      }
    }
  }
}
