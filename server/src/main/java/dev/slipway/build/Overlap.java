package dev.slipway.build;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.slipway.core.RawPath;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** What two directories both have, where one of them was written on top of the other. */
final class Overlap {
  private Overlap() {}

  /**
   * Whether the upper one can do without all that both have: equal files, or files that may differ.
   *
   * @param mayDiffer paths relative to both, in the text form of {@link RawPath}
   * @param needless receives those files and links of {@code upper}
   */
  static boolean isNeedless(Path lower, Path upper, Set<String> mayDiffer, List<Path> needless)
      throws IOException {
    return new Walk(lower, upper, mayDiffer, needless).isNeedless(Path.of(""));
  }

  private record Walk(Path lower, Path upper, Set<String> mayDiffer, List<Path> needless) {
    boolean isNeedless(Path directory) throws IOException {
      try (DirectoryStream<Path> children = Files.newDirectoryStream(lower.resolve(directory))) {
        for (Path child : children) {
          Path name = directory.resolve(child.getFileName());
          Path other = upper.resolve(name);
          if (!Files.exists(other, NOFOLLOW_LINKS)) {
            continue;
          }
          boolean both =
              Files.isDirectory(child, NOFOLLOW_LINKS) && Files.isDirectory(other, NOFOLLOW_LINKS);
          if (both ? !isNeedless(name) : !mayGo(name, child, other)) {
            return false;
          }
        }
      }
      return true;
    }

    private boolean mayGo(Path name, Path child, Path other) throws IOException {
      boolean files =
          Files.isRegularFile(child, NOFOLLOW_LINKS) && Files.isRegularFile(other, NOFOLLOW_LINKS);
      boolean links = Files.isSymbolicLink(child) && Files.isSymbolicLink(other);
      boolean may =
          (files && (mayDiffer.contains(RawPath.encode(name)) || Files.mismatch(child, other) < 0))
              || (links && Files.readSymbolicLink(child).equals(Files.readSymbolicLink(other)));
      if (may) {
        needless.add(other);
      }
      return may;
    }
  }
}
