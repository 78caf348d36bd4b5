package dev.slipway.release;

import dev.slipway.core.RawPath;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Trees by name, each with a manifest: the names of its parts among the objects and, where it is to
 * be seen on top of a layer, a first line with the layer's. What may happen at the same time its
 * callers decide.
 */
final class Shelf {
  private static final String OVER = "over ";

  private final Path directory;
  private final Path manifests;
  private final Path trees;
  private final Path temporary;
  private final Objects objects;
  private final Variants variants;
  private final int owner;

  /**
   * @param directory exists and is ours
   * @param owner the user that all is given to, or negative to leave it
   */
  Shelf(Path directory, int owner) throws IOException {
    this.directory = directory;
    this.owner = owner;
    this.manifests = Files.createDirectories(directory.resolve("manifests"));
    this.trees = Files.createDirectories(directory.resolve("trees"));
    this.temporary = Files.createDirectories(directory.resolve("temporary"));
    this.objects = new Objects(directory.resolve("objects"), temporary);
    this.variants = new Variants(directory.resolve("variants"), temporary);
  }

  /** Throws away what a killed server left half made. Nobody may be making anything. */
  void recover() throws IOException {
    Trees.delete(temporary);
    Files.createDirectories(temporary);
    deleteUnwritten();
  }

  /** After a failure of the power a tree without a manifest may hold files that were cut short. */
  private void deleteUnwritten() throws IOException {
    try (Stream<Path> all = Files.list(trees)) {
      for (Path tree : all.toList()) {
        if (!holds(tree.getFileName().toString())) {
          Trees.delete(tree);
        }
      }
    }
  }

  /** What a manifest on disk says. */
  record Label(List<String> parts, Optional<LayerId> over) {
    private String text() {
      return over.map(layer -> OVER + layer + "\n").orElse("") + String.join("\n", parts) + "\n";
    }
  }

  /** Takes the files of a tree in; the tree stays where it is. */
  ReleaseManifest takeIn(Path tree) throws IOException {
    return new Packing(objects, tree, owner).run();
  }

  /** Stores the parts of a manifest. Nothing is durable, or found again, before {@link #write}. */
  Label label(ReleaseManifest manifest, Optional<LayerId> over) throws IOException {
    List<String> names = new ArrayList<>();
    for (String part : manifest.parts()) {
      Path file = temporary.resolve(UUID.randomUUID().toString());
      Files.writeString(file, part);
      names.add(objects.adopt(file, false, owner));
      Files.delete(file);
    }
    return new Label(names, over);
  }

  /** Makes all that was taken in durable. */
  void sync() throws IOException {
    Disk.sync(directory);
  }

  /** From now on it exists. What it names must be durable. */
  void write(String name, Label label) throws IOException {
    Disk.writeDurably(manifests.resolve(name), label.text());
  }

  boolean holds(String name) {
    return Files.exists(manifests.resolve(name), LinkOption.NOFOLLOW_LINKS);
  }

  Label label(String name) throws IOException {
    Path manifest = manifests.resolve(name);
    if (!Files.exists(manifest)) {
      throw new IllegalStateException(name + " was never packed or has been deleted");
    }
    List<String> lines =
        Files.readAllLines(manifest).stream().filter(line -> !line.isEmpty()).toList();
    boolean over = !lines.isEmpty() && lines.getFirst().startsWith(OVER);
    return over
        ? new Label(
            lines.subList(1, lines.size()),
            Optional.of(new LayerId(lines.getFirst().substring(OVER.length()))))
        : new Label(lines, Optional.empty());
  }

  ReleaseManifest read(Label label) throws IOException {
    List<String> texts = new ArrayList<>();
    for (String part : label.parts()) {
      texts.add(Files.readString(objects.path(part)));
    }
    return ReleaseManifest.ofParts(texts);
  }

  Variants variants() {
    return variants;
  }

  /** Where an object lies. */
  Path object(String name) {
    return objects.path(name);
  }

  /** The place of a tree that {@link #moveIn} or {@link #build} filled. */
  Path tree(String name) {
    return trees.resolve(name);
  }

  /** Makes the tree of that name again where it is missing. */
  Path ensureTree(String name) throws IOException {
    if (!Files.isDirectory(tree(name))) {
      build(name, read(label(name)));
    }
    return tree(name);
  }

  /** Makes a tree of links to the objects. */
  void build(String name, ReleaseManifest manifest) throws IOException {
    Path fresh = Files.createDirectory(temporary.resolve(UUID.randomUUID().toString()));
    Files.setPosixFilePermissions(fresh, Packing.FOLDER_MODE);
    for (ReleaseManifest.Entry entry : manifest.entries()) {
      Path path = RawPath.resolve(fresh, entry.path());
      switch (entry) {
        case ReleaseManifest.Folder _ -> {
          Files.createDirectory(path);
          Files.setPosixFilePermissions(path, Packing.FOLDER_MODE);
        }
        case ReleaseManifest.Content content -> objects.link(content.object(), path);
        case ReleaseManifest.Link link ->
            Files.createSymbolicLink(path, RawPath.path(link.target()));
      }
    }
    moveIn(name, fresh);
  }

  /** Moves a tree that was taken in to its place; deletes it where there is one already. */
  void moveIn(String name, Path fresh) throws IOException {
    try {
      Files.move(fresh, tree(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!Files.isDirectory(tree(name))) {
        throw e;
      }
      Trees.delete(fresh); // another thread made the same one meanwhile
    }
  }

  void delete(String name) throws IOException {
    Files.deleteIfExists(manifests.resolve(name));
    deleteTree(name);
  }

  void deleteTree(String name) {
    Path tree = tree(name);
    if (Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
      Trees.delete(tree);
    }
  }

  /** All that exist. */
  List<String> names() throws IOException {
    return names(manifests);
  }

  Instant written(String name) throws IOException {
    return Files.getLastModifiedTime(manifests.resolve(name)).toInstant();
  }

  /**
   * Deletes all but {@code kept} and what they alone were made of.
   *
   * @param pending of trees that do not exist yet, but shall
   * @param before what was stored or linked since then stays
   */
  void collect(Set<String> kept, List<Label> pending, Instant before) throws IOException {
    Set<String> named = new HashSet<>();
    for (Label label : pending) {
      nameObjects(label, named);
    }
    List<String> forgotten = new ArrayList<>();
    for (String name : names(manifests)) {
      if (kept.contains(name)) {
        nameObjects(label(name), named);
      } else {
        Files.deleteIfExists(manifests.resolve(name));
        forgotten.add(name);
      }
    }
    // Before the trees: deleting a link makes what it linked to look recently used.
    objects.collect(named, before);
    variants.collect(named.stream().map(Objects::contentHash).collect(Collectors.toSet()), before);
    forgotten.forEach(this::deleteTree);
    for (String name : names(trees)) {
      if (!kept.contains(name)) {
        deleteTree(name);
      }
    }
  }

  private void nameObjects(Label label, Set<String> named) throws IOException {
    named.addAll(label.parts());
    for (ReleaseManifest.Entry entry : read(label).entries()) {
      if (entry instanceof ReleaseManifest.Content content) {
        named.add(content.object());
      }
    }
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith(".")) // a manifest that was not written to its end
          .toList();
    }
  }
}
