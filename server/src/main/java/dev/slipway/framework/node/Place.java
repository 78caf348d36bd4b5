package dev.slipway.framework.node;

import dev.slipway.source.Checkout;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A directory of a checkout. The names of files that it is asked for may come from the application:
 * those that lead out of the checkout, or are no names at all, are files that do not exist.
 *
 * @param directory relative to the checkout's root, empty for the root
 */
record Place(Checkout checkout, String directory) {
  boolean hasFile(String name) {
    return path(name).filter(checkout::hasFile).isPresent();
  }

  boolean hasDirectory(String name) {
    return path(name).filter(path -> Files.isDirectory(checkout.root().resolve(path))).isPresent();
  }

  Optional<String> text(String name) {
    return path(name).flatMap(checkout::text);
  }

  Optional<PackageJson> manifest() {
    return text(PackageJson.FILE).flatMap(PackageJson::parse);
  }

  /** The first of the names that is a file here. */
  Optional<String> firstOf(List<String> names) {
    return names.stream().filter(this::hasFile).findFirst();
  }

  /**
   * A path of this directory as one of the checkout; empty where it leads out of it.
   *
   * @param name relative to this directory, with {@code ./} and {@code ../} as people write them
   */
  Optional<String> path(String name) {
    try {
      Path path = Path.of(directory, name).normalize();
      return Path.of(name).isAbsolute() || path.startsWith("..")
          ? Optional.empty()
          : Optional.of(path.toString());
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** The way from this directory to a path of the checkout, for example {@code ../../.yarn/x}. */
  String relative(String path) {
    return Path.of(directory).relativize(Path.of(path)).toString();
  }

  Place at(String other) {
    return new Place(checkout, other);
  }
}
