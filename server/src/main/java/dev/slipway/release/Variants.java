package dev.slipway.release;

import dev.slipway.coding.Coding;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of releases in compressed form: {@code <2 digits>/<62 digits>.<coding>}, by the SHA-256 of
 * what was compressed, so that nothing is compressed twice. An empty one says that compressing it
 * is of no use. Only a cache: what is missing is served as it is. Thread-safe.
 */
final class Variants {
  private static final Logger log = LoggerFactory.getLogger(Variants.class);
  private static final int LEAST_BYTES = 1 << 10;
  private static final int MOST_BYTES = 16 << 20;

  /** Less than this is not worth what decompressing costs. */
  private static final double WORTH = 0.95;

  /** By the ends of their names. Source maps are left out: large, and hardly ever asked for. */
  private static final Set<String> COMPRESSIBLE =
      Set.of(
          "html",
          "htm",
          "xhtml",
          "css",
          "js",
          "mjs",
          "cjs",
          "json",
          "jsonld",
          "geojson",
          "wasm",
          "webmanifest",
          "svg",
          "xml",
          "rss",
          "atom",
          "txt",
          "md",
          "csv",
          "vtt",
          "ttf",
          "otf",
          "eot",
          "ico",
          "bmp",
          "gltf",
          "glb");

  private final Path directory;
  private final Path temporary;

  /**
   * @param temporary an empty directory on the same file system
   */
  Variants(Path directory, Path temporary) throws IOException {
    this.directory = directory;
    this.temporary = temporary;
    for (int i = 0; i < 256; i++) {
      Files.createDirectories(directory.resolve("%02x".formatted(i)));
    }
  }

  private record Work(ReleaseFiles.Content content, Coding coding) {}

  private record Made(Path fresh, Path target) {}

  /**
   * Makes what is missing, small files first; what is not begun in time is left out, and all of it
   * where the disk does not take it.
   */
  void make(Collection<ReleaseFiles.Content> contents, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    Queue<Made> begun = new ConcurrentLinkedQueue<>();
    try (Stream<Work> missing = missing(contents).parallelStream()) {
      missing.filter(_ -> System.nanoTime() < deadline).forEach(work -> make(work, begun));
      keep(begun);
    } catch (UncheckedIOException | IOException e) {
      log.warn("files of a site are served uncompressed: {}", e.toString());
      begun.forEach(each -> each.fresh().toFile().delete());
    }
  }

  private void keep(Collection<Made> made) throws IOException {
    if (!made.isEmpty()) {
      Disk.sync(directory); // A name must not outlive a power failure that its bytes did not.
    }
    for (Made each : made) {
      Files.move(each.fresh(), each.target(), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Those of one file. */
  Map<Coding, ReleaseFiles.Stored> of(String path, String hash, long bytes) throws IOException {
    Map<Coding, ReleaseFiles.Stored> found = new EnumMap<>(Coding.class);
    if (isCompressible(path, bytes)) {
      for (Coding coding : Coding.values()) {
        Path variant = path(hash, coding);
        long size = size(variant);
        if (size > 0) {
          found.put(coding, new ReleaseFiles.Stored(variant, size));
        }
      }
    }
    return found;
  }

  /** Deletes those of files that are not {@code kept} any more. */
  void collect(Set<String> kept, Instant before) throws IOException {
    try (Stream<Path> directories = Files.list(directory)) {
      for (Path part : directories.toList()) {
        try (Stream<Path> variants = Files.list(part)) {
          for (Path variant : variants.toList()) {
            String name = variant.getFileName().toString();
            String hash = part.getFileName() + name.substring(0, name.indexOf('.'));
            if (!kept.contains(hash)
                && Files.getLastModifiedTime(variant).toInstant().isBefore(before)) {
              Files.delete(variant);
            }
          }
        }
      }
    }
  }

  private List<Work> missing(Collection<ReleaseFiles.Content> contents) {
    return contents.stream()
        .filter(content -> isCompressible(content.path(), content.plain().bytes()))
        .sorted(Comparator.comparingLong(content -> content.plain().bytes()))
        .collect(
            Collectors.toMap(
                ReleaseFiles.Content::hash, it -> it, (one, _) -> one, LinkedHashMap::new))
        .values()
        .stream()
        .flatMap(content -> Coding.usable().stream().map(coding -> new Work(content, coding)))
        .filter(work -> !Files.exists(path(work.content().hash(), work.coding())))
        .toList();
  }

  private void make(Work work, Collection<Made> begun) {
    Path fresh = temporary.resolve(UUID.randomUUID().toString());
    begun.add(new Made(fresh, path(work.content().hash(), work.coding())));
    try {
      try (OutputStream out =
          work.coding().encoder(Files.newOutputStream(fresh), Coding.Effort.THOROUGH)) {
        Files.copy(work.content().plain().path(), out);
      }
      if (Files.size(fresh) > work.content().plain().bytes() * WORTH) {
        Files.write(fresh, new byte[0]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path path(String hash, Coding coding) {
    return directory
        .resolve(hash.substring(0, 2))
        .resolve(hash.substring(2) + "." + coding.wireName());
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException absent) {
      return 0;
    }
  }

  private static boolean isCompressible(String path, long bytes) {
    String type = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return bytes >= LEAST_BYTES && bytes <= MOST_BYTES && COMPRESSIBLE.contains(type);
  }
}
