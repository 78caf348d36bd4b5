package dev.slipway.source.git;

import dev.slipway.core.RawPath;
import dev.slipway.source.FetchCount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Puts large files in the place of their pointers. For one tree. */
final class LargeFileWriter {
  private static final int NAMED = 3;

  private final Path root;
  private final Allowance allowance;
  private final FetchCount count;

  /** Paths by why they stay pointers. */
  private final Map<String, List<String>> kept = new LinkedHashMap<>();

  LargeFileWriter(Path root, Allowance allowance, FetchCount count) {
    this.root = root;
    this.allowance = allowance;
    this.count = count;
  }

  /**
   * @param scratch does not exist yet; on the file system of the tree
   * @param prefix of paths in the sentences
   * @return sentences about those that stay pointers
   */
  List<String> write(
      List<WrittenTree.Pointer> pointers, LargeFiles source, Path scratch, String prefix)
      throws IOException {
    Map<LfsPointer, List<String>> wanted = new LinkedHashMap<>();
    for (WrittenTree.Pointer pointer : pointers) {
      if (allowance.hasRoomFor(pointer.content().size())) {
        allowance.countBytes(pointer.content().size());
        wanted.computeIfAbsent(pointer.content(), _ -> new ArrayList<>()).add(pointer.path());
      } else {
        keep("the commit would be larger than 2 GiB", List.of(pointer.path()));
      }
    }
    if (!wanted.isEmpty()) {
      Files.createDirectories(scratch);
      Map<LfsPointer, String> missing = source.download(wanted.keySet(), scratch);
      missing.forEach((pointer, why) -> keep(why, wanted.getOrDefault(pointer, List.of())));
      wanted.keySet().removeAll(missing.keySet());
      for (Map.Entry<LfsPointer, List<String>> file : wanted.entrySet()) {
        replace(file.getValue(), scratch.resolve(file.getKey().oid()));
      }
    }
    return kept.entrySet().stream()
        .map(reason -> sentence(reason.getValue(), reason.getKey(), prefix))
        .toList();
  }

  private void replace(List<String> paths, Path content) throws IOException {
    for (String path : paths) {
      Path target = RawPath.resolve(root, path);
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(target);
      if (path.equals(paths.getLast())) {
        Files.move(content, target, StandardCopyOption.REPLACE_EXISTING);
      } else {
        count.add(Files.size(content));
        Files.copy(content, target, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.setPosixFilePermissions(target, permissions);
    }
  }

  private void keep(String why, List<String> paths) {
    kept.computeIfAbsent(why, _ -> new ArrayList<>()).addAll(paths);
  }

  private static String sentence(List<String> paths, String why, String prefix) {
    String names =
        paths.stream()
            .sorted()
            .limit(NAMED)
            .map(path -> prefix + path)
            .collect(Collectors.joining(", "));
    String more = paths.size() > NAMED ? " and %,d more".formatted(paths.size() - NAMED) : "";
    return "Of %s%s only the Git LFS pointer is there: %s.".formatted(names, more, why);
  }
}
