package dev.slipway.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Trees that several releases have below their own files, found again by a key. Part of the store
 * of releases, whose objects they share. Thread-safe.
 *
 * <p>A layer is used as soon as it is kept; on disk it is found again from the next {@link
 * ReleaseStore#pack} on, or when its last holder gives it back, so that a build waits for the disk
 * once.
 */
public final class LayerStore {
  private final Shelf shelf;
  private final StoreLock lock;
  private final Path entries;
  private final Clock clock;
  private final Map<LayerId, Integer> holders = new HashMap<>();
  private final Map<LayerId, Shelf.Label> pending = new HashMap<>();
  private final Map<String, LayerEntry> pendingEntries = new HashMap<>();

  LayerStore(Path directory, Shelf shelf, StoreLock lock, Clock clock) throws IOException {
    this.entries = Files.createDirectories(directory.resolve("layers"));
    this.shelf = shelf;
    this.lock = lock;
    this.clock = clock;
  }

  /**
   * A layer that a key stands for.
   *
   * @param bytes what its files hold together, those shared with others counted in full
   */
  public record Kept(String key, long bytes, Instant lastUsed) {}

  /**
   * The layer that was kept under a key, now the most recently used.
   *
   * @param key a file name
   */
  public Optional<LayerLease> find(String key) {
    return lock.reading(() -> {
      Path file = entries.resolve(key);
      Optional<LayerEntry> entry = LayerEntry.read(file);
      if (entry.isEmpty() || !shelf.holds(entry.get().layer().value())) {
        return Optional.empty();
      }
      Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
      return Optional.of(lease(entry.get().layer(), entry.get().warnings()));
    });
  }

  /**
   * Makes a layer of a directory and keeps it under a key.
   *
   * @param tree on the file system of the store; gone afterwards
   * @param warnings what {@link #find} shall tell with it
   */
  public LayerLease keep(String key, Path tree, List<String> warnings) {
    return lock.reading(() -> {
      ReleaseManifest all = shelf.takeIn(tree);
      Shelf.Label label = shelf.label(all, Optional.empty());
      LayerId id = new LayerId(LayerId.PREFIX + digest(label.parts()));
      shelf.moveIn(id.value(), tree);
      remember(key, label, new LayerEntry(id, all.bytes(), warnings));
      return lease(id, warnings);
    });
  }

  /** All that keys stand for. */
  public List<Kept> kept() {
    return lock.reading(() -> {
      List<Kept> all = new ArrayList<>();
      for (String key : keys()) {
        Path file = entries.resolve(key);
        Optional<LayerEntry> entry = LayerEntry.read(file);
        if (entry.isPresent()) {
          Instant used = Files.getLastModifiedTime(file).toInstant();
          all.add(new Kept(key, entry.get().bytes(), used));
        }
      }
      return all;
    });
  }

  /**
   * Forgets keys, and deletes what no other key, release or holder needs. Waits for packings that
   * are under way and holds up new ones, for about a second.
   */
  public void forget(Set<String> keys) {
    lock.deleting(() -> {
      for (String key : keys) {
        Files.deleteIfExists(entries.resolve(key));
      }
      Set<String> kept = new HashSet<>(inUse());
      for (String name : shelf.names()) {
        if (!name.startsWith(LayerId.PREFIX)) {
          kept.add(name);
          shelf.label(name).over().ifPresent(layer -> kept.add(layer.value()));
        }
      }
      // Nobody packs now, so nothing is on its way to be named.
      shelf.collect(kept, pendingLabels(), Instant.MAX);
    });
  }

  void giveBack(LayerLease lease) {
    boolean unwritten;
    synchronized (this) {
      unwritten = pendingEntries.values().stream().anyMatch(it -> it.layer().equals(lease.id()));
    }
    try {
      if (unwritten) {
        lock.reading(() -> {
          Unwritten all = unwritten();
          shelf.sync();
          write(all);
          return all;
        });
      }
    } finally {
      synchronized (this) {
        holders.computeIfPresent(lease.id(), (_, count) -> count == 1 ? null : count - 1);
      }
    }
  }

  /** What has been kept, but is not yet found again after a power failure. */
  record Unwritten(Map<LayerId, Shelf.Label> labels, Map<String, LayerEntry> entries) {}

  synchronized Unwritten unwritten() {
    return new Unwritten(Map.copyOf(pending), Map.copyOf(pendingEntries));
  }

  /** Their files must be durable. */
  void write(Unwritten all) throws IOException {
    for (Map.Entry<LayerId, Shelf.Label> layer : all.labels().entrySet()) {
      shelf.write(layer.getKey().value(), layer.getValue());
    }
    for (Map.Entry<String, LayerEntry> entry : all.entries().entrySet()) {
      entry.getValue().write(entries.resolve(entry.getKey()));
    }
    synchronized (this) {
      pending.keySet().removeAll(all.labels().keySet());
      pendingEntries.entrySet().removeAll(all.entries().entrySet());
    }
  }

  Shelf.Label label(LayerId id) throws IOException {
    synchronized (this) {
      Shelf.Label label = pending.get(id);
      if (label != null) {
        return label;
      }
    }
    return shelf.label(id.value());
  }

  /** The layers that keys stand for or somebody holds. */
  Set<String> inUse() throws IOException {
    Set<String> names = new HashSet<>();
    for (String key : keys()) {
      LayerEntry.read(entries.resolve(key)).ifPresent(entry -> names.add(entry.layer().value()));
    }
    synchronized (this) {
      holders.keySet().forEach(id -> names.add(id.value()));
      pending.keySet().forEach(id -> names.add(id.value()));
    }
    return names;
  }

  synchronized List<Shelf.Label> pendingLabels() {
    return List.copyOf(pending.values());
  }

  private LayerLease lease(LayerId id, List<String> warnings) throws IOException {
    synchronized (this) {
      holders.merge(id, 1, Integer::sum);
    }
    return new LayerLease(this, id, shelf.ensureTree(id.value()), warnings);
  }

  private synchronized void remember(String key, Shelf.Label label, LayerEntry entry) {
    if (!shelf.holds(entry.layer().value())) {
      pending.put(entry.layer(), label);
    }
    pendingEntries.put(key, entry);
  }

  private List<String> keys() throws IOException {
    try (Stream<Path> files = Files.list(entries)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .toList();
    }
  }

  private static String digest(List<String> parts) {
    try {
      byte[] text = String.join("\n", parts).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
