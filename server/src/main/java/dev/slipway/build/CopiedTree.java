package dev.slipway.build;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.slipway.release.LayerLease;
import dev.slipway.release.Written;
import dev.slipway.sandbox.SandboxSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;

/** By copies, for hosts without overlays. */
final class CopiedTree implements WorkTree {
  private final Path source;
  private final Path scratch;
  private final BuildUser user;

  /**
   * @param scratch on the file system of the release store; must not exist
   */
  CopiedTree(Path source, Path scratch, BuildUser user) {
    this.source = source;
    this.scratch = scratch;
    this.user = user;
    try {
      Files.createDirectories(scratch);
    } catch (IOException e) {
      throw new UncheckedIOException("making " + scratch + " failed", e);
    }
    AppCopy.copy(source, written(), user);
  }

  @Override
  public SandboxSpec.Files files() {
    return new SandboxSpec.Files.Writable(written());
  }

  @Override
  public Path written() {
    return scratch.resolve("app");
  }

  @Override
  public Optional<Path> takeAdditions(Set<String> inputs) {
    try {
      if (!isWhole(Path.of(""))
          || !Overlap.isNeedless(source, written(), inputs, new ArrayList<>())) {
        return Optional.empty();
      }
      Path apart = scratch.resolve("additions");
      user.give(Files.createDirectory(apart));
      moveAdditions(Path.of(""), apart);
      return Optional.of(apart);
    } catch (IOException e) {
      throw new UncheckedIOException("setting apart what was installed failed", e);
    }
  }

  @Override
  public void layOn(LayerLease dependencies) {
    AppCopy.copyBelow(dependencies.tree(), written(), user);
  }

  @Override
  public boolean layered() {
    return false;
  }

  @Override
  public Written finish() {
    return new Written(written(), Set.of());
  }

  private boolean isWhole(Path directory) throws IOException {
    try (DirectoryStream<Path> children = Files.newDirectoryStream(source.resolve(directory))) {
      for (Path child : children) {
        Path name = directory.resolve(child.getFileName());
        if (!Files.exists(written().resolve(name), NOFOLLOW_LINKS)
            || (Files.isDirectory(child, NOFOLLOW_LINKS) && !isWhole(name))) {
          return false;
        }
      }
    }
    return true;
  }

  /** What the checkout does not have; what it has too is equal, or put back as it was. */
  private void moveAdditions(Path directory, Path apart) throws IOException {
    try (DirectoryStream<Path> children = Files.newDirectoryStream(written().resolve(directory))) {
      for (Path child : children) {
        Path name = directory.resolve(child.getFileName());
        Path original = source.resolve(name);
        if (!Files.exists(original, NOFOLLOW_LINKS)) {
          Path target = apart.resolve(name);
          user.makeParents(apart, target);
          Files.move(child, target);
        } else if (Files.isDirectory(child, NOFOLLOW_LINKS)) {
          moveAdditions(name, apart);
        } else if (Files.isRegularFile(child, NOFOLLOW_LINKS)
            && Files.mismatch(child, original) >= 0) {
          Files.delete(child);
          AppCopy.copy(original, child, user);
        }
      }
    }
  }
}
