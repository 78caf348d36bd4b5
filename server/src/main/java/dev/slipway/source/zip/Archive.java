package dev.slipway.source.zip;

import dev.slipway.core.AppFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * The entries of an archive that belong to the application. A single folder at the top is not one
 * of its directories: everything is below it. Clutter of the tool that packed it is left out, and
 * so is the history of a repository.
 */
record Archive(ZipFile zip, List<Entry> entries) implements AutoCloseable {
  static final int MAX_ENTRIES = 100_000;
  static final String TOO_MANY =
      "it has more than %,d entries; leave out what is made again, such as node_modules"
          .formatted(MAX_ENTRIES);

  /** Of all paths together: what is read of an archive at once must not fill the memory. */
  private static final int MAX_NAMES = 1_000_000;

  private static final String HISTORY = ".git";
  private static final Set<Integer> METHODS = Set.of(ZipEntry.STORED, ZipEntry.DEFLATED);

  Archive {
    entries = List.copyOf(entries);
  }

  /**
   * @throws AppFailure where it is none, or holds what is not allowed
   */
  static Archive open(Path file) throws IOException {
    ZipFile zip = read(file);
    try {
      return new Archive(zip, entries(zip));
    } catch (RuntimeException e) {
      zip.close();
      throw e;
    }
  }

  /** A file, a folder, or a link, as the archive says. */
  record Entry(EntryName name, Kind kind, boolean executable, ZipArchiveEntry packed) {
    enum Kind {
      FILE,
      FOLDER,
      LINK
    }

    boolean isFolder() {
      return kind == Kind.FOLDER;
    }

    Entry named(EntryName other) {
      return new Entry(other, kind, executable, packed);
    }
  }

  private static ZipFile read(Path file) throws IOException {
    BoundedChannel channel = BoundedChannel.open(file);
    try {
      ZipFile zip =
          ZipFile.builder().setSeekableByteChannel(channel).setIgnoreLocalFileHeader(true).get();
      channel.unbounded();
      return zip;
    } catch (BoundedChannel.Exceeded e) {
      channel.close();
      throw Refused.archive(TOO_MANY);
    } catch (IOException | IllegalArgumentException e) {
      channel.close();
      requireUninterrupted();
      throw Refused.archive("it is not a zip file, or it is damaged");
    }
  }

  /** An interruption fails reads in ways that look like a fault of the archive. */
  static void requireUninterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("unpacking was interrupted");
    }
  }

  private static List<Entry> entries(ZipFile zip) {
    List<Entry> all = new ArrayList<>();
    int count = 0;
    int names = 0;
    for (ZipArchiveEntry packed : (Iterable<ZipArchiveEntry>) () -> zip.getEntries().asIterator()) {
      if (++count > MAX_ENTRIES) {
        throw Refused.archive(TOO_MANY);
      }
      EntryName name = EntryName.parse(packed.getRawName());
      names += name.names().size();
      if (names > MAX_NAMES) {
        throw Refused.archive("the paths of its entries are too deep together");
      }
      if (!name.isClutter() && !name.isRoot()) {
        all.add(entry(name, packed));
      }
    }
    List<Entry> inside = withoutSingleTop(all);
    inside.removeIf(entry -> entry.name().isRoot() || entry.name().isBelow(HISTORY));
    if (inside.stream().allMatch(Entry::isFolder)) {
      throw Refused.archive("it holds no files");
    }
    return inside;
  }

  private static Entry entry(EntryName name, ZipArchiveEntry packed) {
    if (packed.getGeneralPurposeBit().usesEncryption()) {
      throw Refused.entry(name.toString(), "is encrypted");
    }
    if (!METHODS.contains(packed.getMethod())) {
      throw Refused.entry(
          name.toString(), "is compressed by method %d; use deflate".formatted(packed.getMethod()));
    }
    UnixMode mode = new UnixMode(packed.getUnixMode());
    Entry.Kind kind =
        packed.isDirectory()
            ? Entry.Kind.FOLDER
            : mode.kind()
                .orElseThrow(
                    () -> Refused.entry(name.toString(), "is neither a file, a folder nor a link"));
    return new Entry(name, kind, mode.isExecutable(), packed);
  }

  /** The same entries, seen from the only folder at the top where there is one. */
  private static List<Entry> withoutSingleTop(List<Entry> all) {
    if (all.isEmpty()) {
      return new ArrayList<>();
    }
    String top = all.getFirst().name().names().getFirst();
    Predicate<Entry> below =
        entry -> entry.name().isBelow(top) && (entry.name().names().size() > 1 || entry.isFolder());
    return all.stream().allMatch(below)
        ? new ArrayList<>(all.stream().map(it -> it.named(it.name().tail())).toList())
        : new ArrayList<>(all);
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
