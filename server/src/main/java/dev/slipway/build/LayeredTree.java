package dev.slipway.build;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.slipway.core.RawPath;
import dev.slipway.release.LayerLease;
import dev.slipway.release.Written;
import dev.slipway.sandbox.OverlayChanges;
import dev.slipway.sandbox.SandboxSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** By an overlay: neither the checkout nor the dependencies are copied. */
final class LayeredTree implements WorkTree {
  private final Path source;
  private final Path scratch;
  private final BuildUser user;
  private final List<Path> layers = new ArrayList<>();

  /**
   * @param source owned by the build's user, who could not change it otherwise
   * @param scratch made if absent, on the file system of the release store
   */
  LayeredTree(Path source, Path scratch, BuildUser user) {
    this.source = source;
    this.scratch = scratch;
    this.user = user;
    this.layers.add(source);
    makeWritten();
  }

  @Override
  public SandboxSpec.Files files() {
    return new SandboxSpec.Files.CopyOnWrite(List.copyOf(layers), scratch);
  }

  @Override
  public Path written() {
    return scratch.resolve("upper");
  }

  @Override
  public Optional<Path> takeAdditions(Set<String> inputs) {
    try {
      List<Path> unchanged = new ArrayList<>();
      if (!OverlayChanges.of(written()).removed().isEmpty()
          || !Overlap.isNeedless(source, written(), inputs, unchanged)) {
        return Optional.empty();
      }
      for (Path path : unchanged) {
        Files.delete(path);
      }
      Path apart = scratch.resolve("additions");
      Files.move(written(), apart);
      makeWritten();
      return Optional.of(apart);
    } catch (IOException e) {
      throw new UncheckedIOException("setting apart what was installed failed", e);
    }
  }

  @Override
  public void layOn(LayerLease dependencies) {
    layers.add(dependencies.tree());
  }

  @Override
  public boolean layered() {
    return true;
  }

  @Override
  public Written finish() {
    OverlayChanges changes = OverlayChanges.of(written());
    Set<Path> removed = Set.copyOf(changes.removed());
    changes.clear();
    try {
      moveUnchanged(Path.of(""), removed);
    } catch (IOException e) {
      throw new UncheckedIOException("adding the checkout to what was built failed", e);
    }
    return written(removed);
  }

  private Written written(Set<Path> removed) {
    return new Written(
        written(), removed.stream().map(RawPath::encode).collect(Collectors.toUnmodifiableSet()));
  }

  private void moveUnchanged(Path directory, Set<Path> removed) throws IOException {
    try (DirectoryStream<Path> children = Files.newDirectoryStream(source.resolve(directory))) {
      for (Path child : children) {
        Path name = directory.resolve(child.getFileName());
        Path target = written().resolve(name);
        if (removed.contains(name)) {
          continue;
        }
        if (!Files.exists(target, NOFOLLOW_LINKS)) {
          Files.move(child, target);
        } else if (Files.isDirectory(child, NOFOLLOW_LINKS)
            && Files.isDirectory(target, NOFOLLOW_LINKS)) {
          moveUnchanged(name, removed);
        }
      }
    }
  }

  private void makeWritten() {
    try {
      user.give(Files.createDirectories(written()));
    } catch (IOException e) {
      throw new UncheckedIOException("making " + written() + " failed", e);
    }
  }
}
