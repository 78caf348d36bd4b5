package dev.slipway.build;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.TransientException;
import dev.slipway.release.LayerStore;
import dev.slipway.tool.KeptTool;
import dev.slipway.tool.Toolbox;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what makes later builds faster, dependencies, the caches of frameworks, what package
 * managers downloaded and the tools that no kept release needs together: what was used longest ago
 * goes first. Nothing that a build or a running program uses is deleted. Thread-safe.
 */
final class BuildCaches {
  private static final Logger LOG = LoggerFactory.getLogger(BuildCaches.class);

  private final LayerStore layers;
  private final FrameworkCaches frameworks;
  private final DownloadCaches downloads;
  private final Toolbox tools;
  private final BuildConfig config;
  private final LongSupplier freeBytes;

  /**
   * @param freeBytes of the disk that all of it is on
   */
  BuildCaches(
      LayerStore layers,
      FrameworkCaches frameworks,
      DownloadCaches downloads,
      Toolbox tools,
      BuildConfig config,
      LongSupplier freeBytes) {
    this.layers = layers;
    this.frameworks = frameworks;
    this.downloads = downloads;
    this.tools = tools;
    this.config = config;
    this.freeBytes = freeBytes;
  }

  private record Item(long bytes, Instant lastUsed, Runnable forget) {}

  FrameworkCaches frameworks() {
    return frameworks;
  }

  LayerStore layers() {
    return layers;
  }

  /** Makes room for a build. */
  void requireRoom() {
    if (freeBytes.getAsLong() < config.minFreeBytes()) {
      trim();
    }
    long free = freeBytes.getAsLong();
    if (free < config.minFreeBytes()) {
      throw new AppFailure(
          FailureCode.DISK_FULL,
          "The disk of the server has %,d MiB left and a build needs %,d MiB (limits.disk_free_min). Delete projects, or give the server a larger disk."
              .formatted(free >> 20, config.minFreeBytes() >> 20));
    }
  }

  /**
   * Deletes what is beyond {@code caches.max_mb}, and more while the disk has less than twice what
   * a build needs. Never fails what it comes after.
   */
  synchronized void trim() {
    try {
      deleteOldest();
    } catch (UncheckedIOException | TransientException e) {
      LOG.warn("the caches of builds could not be trimmed", e);
    }
  }

  private void deleteOldest() {
    Set<String> keys = new HashSet<>();
    List<Item> items = new ArrayList<>();
    for (LayerStore.Kept kept : layers.kept()) {
      items.add(new Item(kept.bytes(), kept.lastUsed(), () -> keys.add(kept.key())));
    }
    for (FrameworkCaches.Kept kept : frameworks.kept()) {
      items.add(new Item(kept.bytes(), kept.lastUsed(), () -> frameworks.delete(kept.place())));
    }
    for (DownloadCaches.Kept kept : downloads.kept()) {
      items.add(new Item(kept.bytes(), kept.lastUsed(), () -> downloads.delete(kept.place())));
    }
    for (KeptTool tool : tools.unneeded()) {
      items.add(new Item(tool.bytes(), tool.lastUsed(), () -> tools.delete(tool)));
    }
    items.sort(Comparator.comparing(Item::lastUsed));
    long held = items.stream().mapToLong(Item::bytes).sum();
    // Layers share files, so what deleting one gives back is known only when it is done.
    long wanted = Math.min(config.minFreeBytes(), Long.MAX_VALUE / 2) * 2;
    long missing = wanted - freeBytes.getAsLong();
    int forgotten = 0;
    for (Item item : items) {
      if (held <= config.maxCacheBytes() && missing <= 0) {
        break;
      }
      item.forget().run();
      held -= item.bytes();
      missing -= item.bytes();
      forgotten++;
    }
    if (!keys.isEmpty()) {
      layers.forget(keys);
    }
    if (forgotten > 0) {
      LOG.info("{} caches of builds were deleted, {} MiB are left", forgotten, held >> 20);
    }
  }
}
