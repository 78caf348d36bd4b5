package dev.slipway.release;

import dev.slipway.core.RawPath;
import dev.slipway.core.ReleaseId;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps releases on disk, each distinct file once.
 *
 * <pre>
 * objects/ab/cdef…   files by content, and the parts of manifests
 * manifests/rel_…    the parts that describe a release; it exists when this does
 * variants/ab/cdef…  files of sites, compressed ({@link Variants})
 * temporary/         names that last a moment; emptied at the start
 * trees/rel_…        a release as a directory of links to the objects; made again when missing
 * </pre>
 *
 * <p>Thread-safe; one server uses a directory at a time. The directory is closed to other users:
 * its files are shared between releases and must be shown to programs read-only or copy-on-write.
 */
public final class ReleaseStore {
  /** What was stored by a build whose record is not written yet is not taken away from it. */
  public static final Duration MINIMUM_AGE = Duration.ofDays(1);

  private final Objects objects;
  private final Variants variants;
  private final Path manifests;
  private final Path trees;
  private final Path temporary;
  private final Path directory;
  private final int owner;
  private final Clock clock;

  /** Whoever relies on objects that no manifest names yet reads; whoever deletes any writes. */
  private final ReadWriteLock lease = new ReentrantReadWriteLock(true);

  /**
   * @param directory made if absent, ours alone
   */
  public ReleaseStore(Path directory, Clock clock) {
    this.directory = directory;
    this.clock = clock;
    this.manifests = directory.resolve("manifests");
    this.trees = directory.resolve("trees");
    try {
      Files.createDirectories(directory);
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
      Files.createDirectories(manifests);
      Files.createDirectories(trees);
      this.temporary = directory.resolve("temporary");
      Trees.delete(temporary);
      Files.createDirectories(temporary);
      this.objects = new Objects(directory.resolve("objects"), temporary);
      this.variants = new Variants(directory.resolve("variants"), temporary);
      int uid = (Integer) Files.getAttribute(directory, "unix:uid");
      this.owner = uid == 0 ? uid : -1; // only root can give files away, and needs to
    } catch (IOException e) {
      throw new UncheckedIOException("the releases in " + directory + " cannot be opened", e);
    }
  }

  /**
   * Makes a release of a directory and moves it into the store; durable when this returns. Nothing
   * may be writing there any more. After a crash call it again, whatever is left of the directory.
   *
   * @param tree on the file system of the store; gone afterwards
   */
  public Release pack(ReleaseId id, Path tree) {
    return leased(() -> {
      Path manifest = manifests.resolve(id.value());
      if (!Files.exists(manifest)) {
        List<String> parts = store(new Packing(objects, tree, owner).run());
        Disk.sync(directory);
        Disk.writeDurably(manifest, String.join("\n", parts) + "\n");
        moveInto(tree, trees.resolve(id.value()));
      } else if (Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
        Trees.delete(tree);
      }
      return released(id, read(id));
    });
  }

  /**
   * The files of a release, not to be written to. The path stays valid until {@link #dropTree},
   * {@link #delete} or {@link #collect} takes it away.
   *
   * @throws IllegalStateException if there is no such release
   */
  public Path tree(ReleaseId id) {
    return leased(() -> {
      Path tree = trees.resolve(id.value());
      if (!Files.isDirectory(tree)) {
        ReleaseManifest manifest = read(id);
        Path fresh = Files.createDirectory(temporary.resolve(UUID.randomUUID().toString()));
        build(manifest, fresh);
        moveInto(fresh, tree);
      }
      return tree;
    });
  }

  /**
   * What a release holds below a directory, to be read by us alone: no tree is made for it. A file
   * may go when the release is deleted; whoever has it open reads it to its end.
   *
   * @param folder relative to the release, in the text form of {@link RawPath}; empty for all of it
   * @throws IllegalStateException if there is no such release
   */
  public ReleaseFiles files(ReleaseId id, String folder) {
    return leased(() -> {
      List<ReleaseFiles.Content> contents = new ArrayList<>();
      List<ReleaseFiles.Link> links = new ArrayList<>();
      String prefix = folder.isEmpty() ? "" : folder + "/";
      for (ReleaseManifest.Entry entry : read(id).entries()) {
        if (entry.path().startsWith(prefix)) {
          String path = entry.path().substring(prefix.length());
          switch (entry) {
            case ReleaseManifest.Content content -> contents.add(content(path, content));
            case ReleaseManifest.Link link -> links.add(new ReleaseFiles.Link(path, link.target()));
            case ReleaseManifest.Folder _ -> {}
          }
        }
      }
      return new ReleaseFiles(contents, links);
    });
  }

  /**
   * Compresses what a release holds below a directory, for those that it is sent to. Takes no
   * longer than about {@code limit}, and leaves out what was not done by then: the next release
   * goes on with it where its files are the same.
   */
  public void compress(ReleaseId id, String folder, Duration limit) {
    variants.make(files(id, folder).contents(), limit);
  }

  private ReleaseFiles.Content content(String path, ReleaseManifest.Content content)
      throws IOException {
    String hash = Objects.contentHash(content.object());
    return new ReleaseFiles.Content(
        path,
        hash,
        new ReleaseFiles.Stored(objects.path(content.object()), content.bytes()),
        variants.of(path, hash, content.bytes()));
  }

  public boolean exists(ReleaseId id) {
    return Files.exists(manifests.resolve(id.value()));
  }

  /**
   * Gives back what the tree of a release takes, some KiB for each of its directories. {@link
   * #tree} makes it again. No program may be using it.
   */
  public void dropTree(ReleaseId id) {
    deleteTree(id.value());
  }

  /** Forgets a release; its files go with the next {@link #collect}. Does nothing if it is gone. */
  public void delete(ReleaseId id) {
    exclusively(() -> forget(id.value()));
  }

  /**
   * Deletes all releases but {@code kept} and what they alone were made of, save what is younger
   * than {@link #MINIMUM_AGE}. Waits for packings that are under way and holds up new ones, for
   * about a second.
   */
  public void collect(Set<ReleaseId> kept) {
    exclusively(() -> {
      Instant before = clock.instant().minus(MINIMUM_AGE);
      List<String> forgotten = new ArrayList<>();
      Set<String> named = new HashSet<>();
      for (String name : names(manifests)) {
        Path manifest = manifests.resolve(name);
        if (kept.contains(new ReleaseId(name))
            || Files.getLastModifiedTime(manifest).toInstant().isAfter(before)) {
          nameObjects(new ReleaseId(name), named);
        } else {
          Files.deleteIfExists(manifest);
          forgotten.add(name);
        }
      }
      // Before the trees: deleting a link makes what it linked to look recently used.
      objects.collect(named, before);
      variants.collect(
          named.stream().map(Objects::contentHash).collect(Collectors.toSet()), before);
      forgotten.forEach(this::deleteTree);
      for (String name : names(trees)) {
        if (!Files.exists(manifests.resolve(name))) {
          deleteTree(name);
        }
      }
    });
  }

  private List<String> store(ReleaseManifest manifest) throws IOException {
    List<String> names = new ArrayList<>();
    for (String part : manifest.parts()) {
      Path file = temporary.resolve(UUID.randomUUID().toString());
      Files.writeString(file, part);
      names.add(objects.adopt(file, false, owner));
      Files.delete(file);
    }
    return names;
  }

  private List<String> parts(ReleaseId id) throws IOException {
    Path manifest = manifests.resolve(id.value());
    if (!Files.exists(manifest)) {
      throw new IllegalStateException(
          "the release %s was never packed or has been deleted".formatted(id));
    }
    return Files.readAllLines(manifest).stream().filter(line -> !line.isEmpty()).toList();
  }

  private ReleaseManifest read(ReleaseId id) throws IOException {
    List<String> texts = new ArrayList<>();
    for (String part : parts(id)) {
      texts.add(Files.readString(objects.path(part)));
    }
    return ReleaseManifest.ofParts(texts);
  }

  private void nameObjects(ReleaseId id, Set<String> named) throws IOException {
    named.addAll(parts(id));
    for (ReleaseManifest.Entry entry : read(id).entries()) {
      if (entry instanceof ReleaseManifest.Content content) {
        named.add(content.object());
      }
    }
  }

  private void build(ReleaseManifest manifest, Path tree) throws IOException {
    Files.setPosixFilePermissions(tree, Packing.FOLDER_MODE);
    for (ReleaseManifest.Entry entry : manifest.entries()) {
      Path path = RawPath.resolve(tree, entry.path());
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
  }

  private static void moveInto(Path fresh, Path tree) throws IOException {
    try {
      Files.move(fresh, tree, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!Files.isDirectory(tree)) {
        throw e;
      }
      Trees.delete(fresh); // another thread made the same one meanwhile
    }
  }

  private void forget(String name) throws IOException {
    Files.deleteIfExists(manifests.resolve(name));
    deleteTree(name);
  }

  private void deleteTree(String name) {
    Path tree = trees.resolve(name);
    if (Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
      Trees.delete(tree);
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

  private static Release released(ReleaseId id, ReleaseManifest manifest) {
    return new Release(id, manifest.files(), manifest.bytes());
  }

  private interface Reading<T> {
    T run() throws IOException;
  }

  private interface Deleting {
    void run() throws IOException;
  }

  private <T> T leased(Reading<T> work) {
    lease.readLock().lock();
    try {
      return work.run();
    } catch (IOException e) {
      throw new UncheckedIOException("the release store in " + directory + " failed", e);
    } finally {
      lease.readLock().unlock();
    }
  }

  private void exclusively(Deleting work) {
    lease.writeLock().lock();
    try {
      work.run();
    } catch (IOException e) {
      throw new UncheckedIOException("the release store in " + directory + " failed", e);
    } finally {
      lease.writeLock().unlock();
    }
  }
}
