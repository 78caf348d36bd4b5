package dev.slipway.release;

import dev.slipway.core.RawPath;
import dev.slipway.core.ReleaseId;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps releases on disk, each distinct file once.
 *
 * <pre>
 * objects/ab/cdef…   files by content, and the parts of manifests
 * manifests/rel_…    the parts that describe a release; it exists when this does
 * manifests/lay_…    the same of a layer, which releases name that lie on top of it
 * layers/…           which layer a key stands for
 * variants/ab/cdef…  files of sites, compressed ({@link Variants})
 * temporary/         names that last a moment; emptied at the start
 * trees/…            a release or layer as a directory of links to the objects; made again when missing
 * </pre>
 *
 * <p>Thread-safe; one server uses a directory at a time. The directory is closed to other users:
 * its files are shared between releases and must be shown to programs read-only or copy-on-write.
 */
public final class ReleaseStore {
  /** What was stored by a build whose record is not written yet is not taken away from it. */
  public static final Duration MINIMUM_AGE = Duration.ofDays(1);

  private final Shelf shelf;
  private final LayerStore layers;
  private final StoreLock lock;
  private final Clock clock;

  /**
   * @param directory made if absent, ours alone
   */
  public ReleaseStore(Path directory, Clock clock) {
    this(directory, clock, Shelf::recover);
  }

  /** One in which another process packs and deletes: to read from alone. */
  public static ReleaseStore reading(Path directory, Clock clock) {
    return new ReleaseStore(directory, clock, _ -> {});
  }

  private ReleaseStore(Path directory, Clock clock, Opening opening) {
    this.clock = clock;
    this.lock = new StoreLock(directory);
    try {
      Files.createDirectories(directory);
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
      int uid = (Integer) Files.getAttribute(directory, "unix:uid");
      // Only root can give files away, and needs to.
      this.shelf = new Shelf(directory, uid == 0 ? uid : -1);
      this.layers = new LayerStore(directory, shelf, lock, clock);
      opening.run(shelf);
    } catch (IOException e) {
      throw new UncheckedIOException("the releases in " + directory + " cannot be opened", e);
    }
  }

  /** What releases lie on top of. */
  public LayerStore layers() {
    return layers;
  }

  /** {@link #pack(ReleaseId, Written, Optional)} of a directory that lies on nothing. */
  public Release pack(ReleaseId id, Path tree) {
    return pack(id, new Written(tree, Set.of()), Optional.empty());
  }

  /**
   * Makes a release of a directory and moves it into the store; durable when this returns. Nothing
   * may be writing there any more. After a crash call it again, whatever is left of the directory.
   *
   * @param written on the file system of the store; gone afterwards
   * @param below what it was written on top of
   */
  public Release pack(ReleaseId id, Written written, Optional<LayerLease> below) {
    return lock.reading(() -> {
      if (!exists(id)) {
        packAnew(id.value(), written, below);
      } else if (Files.exists(written.tree(), LinkOption.NOFOLLOW_LINKS)) {
        Trees.delete(written.tree());
      }
      return released(id);
    });
  }

  private void packAnew(String name, Written written, Optional<LayerLease> below)
      throws IOException {
    ReleaseManifest own = shelf.takeIn(written.tree());
    if (below.isEmpty()) {
      writeAll(name, shelf.label(own, Optional.empty()));
      shelf.moveIn(name, written.tree());
      return;
    }
    LayerId layer = below.get().id();
    ReleaseManifest lower = shelf.read(layers.label(layer));
    if (own.liesPlainlyOn(lower, written.removed())) {
      writeAll(name, shelf.label(own, Optional.of(layer)));
      shelf.moveIn(name, written.tree());
      return;
    }
    // A tree by itself: no directory can say what is missing below it.
    ReleaseManifest all = own.over(lower, written.removed());
    writeAll(name, shelf.label(all, Optional.empty()));
    shelf.build(name, all);
    Trees.delete(written.tree());
  }

  private void writeAll(String name, Shelf.Label label) throws IOException {
    LayerStore.Unwritten unwritten = layers.unwritten();
    shelf.sync();
    layers.write(unwritten);
    shelf.write(name, label);
  }

  /**
   * The directories that a release's files are in, not to be written to: each shows what it holds
   * on top of those that follow. They stay valid until {@link #dropTree}, {@link #delete} or {@link
   * #collect} takes them away.
   *
   * @throws IllegalStateException if there is no such release
   */
  public List<Path> trees(ReleaseId id) {
    return lock.reading(() -> {
      Path own = shelf.ensureTree(id.value());
      Optional<LayerId> below = shelf.label(id.value()).over();
      return below.isEmpty() ? List.of(own) : List.of(own, shelf.ensureTree(below.get().value()));
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
    return lock.reading(() -> {
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
    shelf.variants().make(files(id, folder).contents(), limit);
  }

  public boolean exists(ReleaseId id) {
    return shelf.holds(id.value());
  }

  /**
   * Gives back what the tree of a release takes, some KiB for each of its directories. {@link
   * #trees} makes it again. No program may be using it.
   */
  public void dropTree(ReleaseId id) {
    shelf.deleteTree(id.value());
  }

  /** Forgets a release; its files go with the next {@link #collect}. Does nothing if it is gone. */
  public void delete(ReleaseId id) {
    lock.deleting(() -> shelf.delete(id.value()));
  }

  /**
   * Deletes all releases but {@code kept} and what they alone were made of, save what is younger
   * than {@link #MINIMUM_AGE}. Waits for packings that are under way and holds up new ones, for
   * about a second.
   */
  public void collect(Set<ReleaseId> kept) {
    lock.deleting(() -> {
      Instant before = clock.instant().minus(MINIMUM_AGE);
      Set<String> names = new HashSet<>(layers.inUse());
      for (String name : shelf.names()) {
        boolean young = shelf.written(name).isAfter(before);
        if (young || kept.contains(new ReleaseId(name))) {
          names.add(name);
          shelf.label(name).over().ifPresent(layer -> names.add(layer.value()));
        }
      }
      shelf.collect(names, layers.pendingLabels(), before);
    });
  }

  private interface Opening {
    void run(Shelf shelf) throws IOException;
  }

  private Release released(ReleaseId id) throws IOException {
    ReleaseManifest all = read(id);
    return new Release(id, all.files(), all.bytes());
  }

  private ReleaseManifest read(ReleaseId id) throws IOException {
    Shelf.Label label = shelf.label(id.value());
    ReleaseManifest own = shelf.read(label);
    return label.over().isEmpty()
        ? own
        : own.over(shelf.read(shelf.label(label.over().get().value())), Set.of());
  }

  private ReleaseFiles.Content content(String path, ReleaseManifest.Content content)
      throws IOException {
    String hash = Objects.contentHash(content.object());
    return new ReleaseFiles.Content(
        path,
        hash,
        new ReleaseFiles.Stored(shelf.object(content.object()), content.bytes()),
        shelf.variants().of(path, hash, content.bytes()));
  }
}
