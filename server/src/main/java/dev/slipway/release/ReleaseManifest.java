package dev.slipway.release;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a release holds, sorted by path; a directory comes before what is in it. Paths and targets
 * are in the text form of {@link dev.slipway.core.RawPath}, relative to the release.
 *
 * <p>As text one line an entry. It is kept in parts that end where the entries themselves say so,
 * not at a count: a changed file changes one part, and releases share the others.
 */
record ReleaseManifest(List<Entry> entries) {
  /** Parts have so many entries on average, about 8 KiB. */
  private static final int PART_ENTRIES = 64;

  ReleaseManifest {
    entries = List.copyOf(entries);
  }

  /** One line of a manifest. */
  sealed interface Entry {
    String path();
  }

  record Folder(String path) implements Entry {}

  /**
   * @param object its name among the {@link Objects}
   * @param bytes its size
   */
  record Content(String path, String object, long bytes) implements Entry {}

  /**
   * @param target as the link says it, never followed
   */
  record Link(String path, String target) implements Entry {}

  int files() {
    return (int) entries.stream().filter(entry -> !(entry instanceof Folder)).count();
  }

  long bytes() {
    return entries.stream()
        .mapToLong(entry -> entry instanceof Content content ? content.bytes() : 0)
        .sum();
  }

  /**
   * What is seen where this lies on top of {@code lower}.
   *
   * @param removed where nothing of {@code lower} is seen
   */
  ReleaseManifest over(ReleaseManifest lower, Set<String> removed) {
    Map<String, Entry> top = byPath();
    Stream<Entry> seen =
        lower.entries().stream()
            .filter(entry -> !top.containsKey(entry.path()))
            .filter(entry -> !isHidden(entry.path(), top, removed));
    return new ReleaseManifest(
        Stream.concat(entries.stream(), seen).sorted(Comparator.comparing(Entry::path)).toList());
  }

  /**
   * Whether two directories, one of which is mounted over the other, show the same as {@link
   * #over}: nothing of {@code lower} was removed, and nothing became a directory or ceased to be.
   */
  boolean liesPlainlyOn(ReleaseManifest lower, Set<String> removed) {
    Map<String, Entry> top = byPath();
    return lower.entries().stream()
        .noneMatch(entry -> {
          Entry other = top.get(entry.path());
          boolean changed = other != null && (other instanceof Folder) != (entry instanceof Folder);
          return changed || isHidden(entry.path(), Map.of(), removed);
        });
  }

  private Map<String, Entry> byPath() {
    return entries.stream().collect(Collectors.toMap(Entry::path, Function.identity()));
  }

  private static boolean isHidden(String path, Map<String, Entry> top, Set<String> removed) {
    if (removed.contains(path)) {
      return true;
    }
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      String parent = path.substring(0, slash);
      Entry above = top.get(parent);
      if (removed.contains(parent) || (above != null && !(above instanceof Folder))) {
        return true;
      }
    }
    return false;
  }

  List<String> parts() {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (Entry entry : entries) {
      part.append(line(entry)).append('\n');
      if (endsPart(entry)) {
        parts.add(part.toString());
        part.setLength(0);
      }
    }
    if (!part.isEmpty()) {
      parts.add(part.toString());
    }
    return parts;
  }

  /** True for one path in {@value #PART_ENTRIES}; numbered names must not fall all on one side. */
  private static boolean endsPart(Entry entry) {
    int mixed = entry.path().hashCode() * 0x9E3779B1;
    return Integer.remainderUnsigned(mixed >>> 8, PART_ENTRIES) == 0;
  }

  static ReleaseManifest ofParts(List<String> parts) {
    return new ReleaseManifest(
        parts.stream().flatMap(String::lines).map(ReleaseManifest::entry).toList());
  }

  private static String line(Entry entry) {
    return switch (entry) {
      case Folder(String path) -> "d " + path;
      case Content(String path, String object, long bytes) ->
          "f %s %d %s".formatted(path, bytes, object);
      case Link(String path, String target) -> "l %s %s".formatted(path, target);
    };
  }

  private static Entry entry(String line) {
    String[] words = line.split(" ", -1);
    return switch (words[0]) {
      case "d" -> new Folder(words[1]);
      case "f" -> new Content(words[1], words[3], Long.parseLong(words[2]));
      case "l" -> new Link(words[1], words[2]);
      default -> throw new IllegalStateException("not a line of a manifest: " + line);
    };
  }
}
