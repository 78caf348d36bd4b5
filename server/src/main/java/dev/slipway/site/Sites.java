package dev.slipway.site;

import dev.slipway.release.ReleaseFiles.Stored;
import dev.slipway.release.ReleaseStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Indexes of the sites that are asked for, each read once; those that were used longest ago are
 * forgotten where they list too many files together. Beside them the content of small files.
 * Thread-safe.
 */
public final class Sites {
  /** Some hundred bytes each. */
  private static final int MOST_FILES = 100_000;

  private static final long MOST_SMALL_BYTES = 64L << 20;

  private final SmallFiles smallFiles = new SmallFiles(MOST_SMALL_BYTES);
  private final Function<Site, SiteIndex> reader;
  private final int mostFiles;
  private final Map<Site, CompletableFuture<SiteIndex>> indexes =
      new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param reader may block
   */
  public Sites(Function<Site, SiteIndex> reader) {
    this(reader, MOST_FILES);
  }

  Sites(Function<Site, SiteIndex> reader, int mostFiles) {
    this.reader = reader;
    this.mostFiles = mostFiles;
  }

  /** Those of the store. */
  public static Sites of(ReleaseStore releases) {
    return new Sites(site -> new SiteIndex(site, releases.files(site.release(), site.folder())));
  }

  /**
   * The content of a file, to be read and not written to; empty where it is not small. Blocks for
   * as long as it takes to read so much, where it is not in memory.
   */
  public Optional<ByteBuffer> small(Stored file) throws IOException {
    return SmallFiles.isSmall(file) ? Optional.of(smallFiles.content(file)) : Optional.empty();
  }

  /** Does not block. Fails where it cannot be read; then the next one to ask tries again. */
  public synchronized CompletableFuture<SiteIndex> index(Site site) {
    CompletableFuture<SiteIndex> known = indexes.get(site);
    if (known != null) {
      return known;
    }
    CompletableFuture<SiteIndex> fresh = new CompletableFuture<>();
    indexes.put(site, fresh);
    Thread.startVirtualThread(() -> read(site, fresh));
    return fresh;
  }

  private void read(Site site, CompletableFuture<SiteIndex> result) {
    try {
      SiteIndex index = reader.apply(site);
      makeRoom(site, index.size());
      result.complete(index);
    } catch (RuntimeException | Error e) {
      forget(site);
      result.completeExceptionally(e);
    }
  }

  private synchronized void forget(Site site) {
    indexes.remove(site);
  }

  private synchronized void makeRoom(Site site, int files) {
    long all = files + indexes.values().stream().mapToLong(Sites::size).sum();
    var oldest = indexes.entrySet().iterator();
    while (all > mostFiles && oldest.hasNext()) {
      var next = oldest.next();
      if (!next.getKey().equals(site)) {
        all -= size(next.getValue());
        oldest.remove();
      }
    }
  }

  private static int size(CompletableFuture<SiteIndex> index) {
    return index.isDone() && !index.isCompletedExceptionally() ? index.join().size() : 0;
  }
}
