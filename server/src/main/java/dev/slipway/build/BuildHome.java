package dev.slipway.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * The home of a step's program, in which every package manager finds its downloads below {@code
 * .cache}: most look there by themselves, the others are led there. By links and files, not by
 * variables: where the home is depends on the sandbox, and npm warns of settings of other managers.
 *
 * @param directory on one file system with the account's downloads
 */
record BuildHome(Path directory, BuildUser user) {
  /** uv copies: a file that an application shared with the downloads it could also change there. */
  static final Map<String, String> VARIABLES =
      Map.of("UV_LINK_MODE", "copy", "PIP_DISABLE_PIP_VERSION_CHECK", "1");

  /** Where a manager looks, and the directory below the downloads that this leads to. */
  private static final Map<String, String> LINKS =
      Map.of(".npm", "npm", ".bun/install/cache", "bun", ".yarn/berry", "yarn-berry");

  /**
   * For pnpm up to its tenth version, and since. Not with {@code ~}: that it takes for the disk of
   * the application where it cannot link from there to the home.
   */
  private static final Map<String, String> FILES =
      Map.of(
          ".config/pnpm/rc",
          "store-dir=${HOME}/.cache/pnpm\npackage-import-method=clone-or-copy\n",
          ".config/pnpm/config.yaml",
          "storeDir: ${HOME}/.cache/pnpm\npackageImportMethod: clone-or-copy\n");

  /**
   * Makes it, with the account's downloads in it.
   *
   * @param downloads moves here
   */
  void furnish(Path downloads, String npmrc) {
    try {
      Files.createDirectories(directory);
      Files.move(downloads, cache());
      write(".npmrc", npmrc + "\n");
      for (Map.Entry<String, String> file : FILES.entrySet()) {
        write(file.getKey(), file.getValue());
      }
      for (Map.Entry<String, String> link : LINKS.entrySet()) {
        link(link.getKey(), link.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("preparing " + directory + " failed", e);
    }
  }

  /** Moves the downloads out again. */
  void moveDownloads(Path to) {
    try {
      // Not what the program put in their place: that would be followed outside of the sandbox.
      if (Files.isDirectory(cache(), LinkOption.NOFOLLOW_LINKS)) {
        Files.move(cache(), to);
      } else {
        user.give(Files.createDirectory(to));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("keeping the downloads failed", e);
    }
  }

  private Path cache() {
    return directory.resolve(".cache");
  }

  private void write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    user.makeParents(directory, file);
    user.give(Files.writeString(file, text));
  }

  private void link(String name, String kept) throws IOException {
    Path target = cache().resolve(kept);
    // A program may have left a link there: that is its own affair, in the sandbox.
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      user.give(Files.createDirectory(target));
    }
    Path link = directory.resolve(name);
    user.makeParents(directory, link);
    user.give(Files.createSymbolicLink(link, link.resolveSibling("").relativize(target)));
  }
}
