package dev.slipway.source.zip;

import dev.slipway.core.RawPath;
import dev.slipway.source.FetchCount;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * Writes the entries of an archive below an empty directory. Names, kinds and links are checked as
 * a whole first; sizes as they come, since an archive may say anything of them.
 */
final class Extraction {
  private static final int MAX_LINK_BYTES = 4096;

  /** Of all links together, as they are looked at together. */
  private static final int MAX_LINK_CHARS = 8 << 20;

  private final Archive archive;
  private final Path root;
  private final long maxBytes;
  private final FetchCount count;
  private final byte[] buffer = new byte[1 << 16];
  private long bytes;

  /**
   * @param root an empty directory
   * @param maxBytes of all files together
   */
  Extraction(Archive archive, Path root, long maxBytes, FetchCount count) {
    this.archive = archive;
    this.root = root;
    this.maxBytes = maxBytes;
    this.count = count;
  }

  void run() throws IOException {
    requireOneKindEach();
    Map<EntryName, String> targets = new HashMap<>();
    int linkChars = 0;
    for (Archive.Entry entry : archive.entries()) {
      if (entry.kind() == Archive.Entry.Kind.LINK) {
        String target = target(entry);
        linkChars += target.length();
        if (linkChars > MAX_LINK_CHARS) {
          throw Refused.archive("the targets of its links are too long together");
        }
        targets.put(entry.name(), target);
      }
    }
    new Links(targets).requireInside();
    // No link is there yet, nor is one in any file's way: nothing is written through one.
    for (Archive.Entry entry : archive.entries()) {
      Archive.requireUninterrupted();
      switch (entry.kind()) {
        case FOLDER -> Files.createDirectories(path(entry));
        case FILE -> writeFile(entry);
        case LINK -> writeLink(entry, Objects.requireNonNull(targets.get(entry.name())));
      }
    }
  }

  /** Each path is one thing alone, and what has something below it is a folder. */
  private void requireOneKindEach() {
    Map<EntryName, Archive.Entry.Kind> kinds = new HashMap<>();
    for (Archive.Entry entry : archive.entries()) {
      Archive.Entry.Kind before = kinds.put(entry.name(), entry.kind());
      if (before != null && !(entry.isFolder() && before == Archive.Entry.Kind.FOLDER)) {
        throw Refused.entry(entry.name().toString(), "is there more than once");
      }
    }
    Set<EntryName> folders = new HashSet<>();
    for (Archive.Entry entry : archive.entries()) {
      Optional<EntryName> above = entry.name().parent();
      while (above.isPresent() && folders.add(above.get())) {
        if (kinds.getOrDefault(above.get(), Archive.Entry.Kind.FOLDER)
            != Archive.Entry.Kind.FOLDER) {
          throw Refused.entry(
              entry.name().toString(), "is below %s, which is no folder".formatted(above.get()));
        }
        above = above.get().parent();
      }
      // Those that no entry names are made all the same.
      if (folders.size() > Archive.MAX_ENTRIES) {
        throw Refused.archive(Archive.TOO_MANY);
      }
    }
  }

  private String target(Archive.Entry link) throws IOException {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    unpack(link, target, MAX_LINK_BYTES);
    String text = target.toString(StandardCharsets.UTF_8);
    if (text.isEmpty() || text.indexOf(0) >= 0 || text.indexOf('\uFFFD') >= 0) {
      throw Refused.entry(link.name().toString(), "is a link whose target is no path");
    }
    return text;
  }

  private void writeFile(Archive.Entry entry) throws IOException {
    Path file = path(entry);
    Files.createDirectories(file.getParent());
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      unpack(entry, out, maxBytes);
    }
    Files.setPosixFilePermissions(
        file, PosixFilePermissions.fromString(entry.executable() ? "rwxr-xr-x" : "rw-r--r--"));
  }

  private void writeLink(Archive.Entry entry, String target) throws IOException {
    Path link = path(entry);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(
        link, RawPath.path(RawPath.encode(target.getBytes(StandardCharsets.UTF_8))));
  }

  private void unpack(Archive.Entry entry, OutputStream out, long mostBytes) throws IOException {
    CRC32 checksum = new CRC32();
    long size = 0;
    try (Content content = Content.of(archive, entry)) {
      for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
        size += read;
        bytes += read;
        if (bytes > maxBytes) {
          throw Refused.archive("unpacked it is larger than %,d MiB".formatted(maxBytes >> 20));
        }
        if (size > mostBytes) {
          throw Refused.entry(entry.name().toString(), "is a link to too long a path");
        }
        count.add(read);
        checksum.update(buffer, 0, read);
        out.write(buffer, 0, read);
      }
    }
    if (size != entry.packed().getSize() || checksum.getValue() != entry.packed().getCrc()) {
      throw Content.damaged(entry);
    }
  }

  private Path path(Archive.Entry entry) {
    return RawPath.resolve(root, RawPath.encode(entry.name().toBytes()));
  }
}
