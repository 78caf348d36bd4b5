package dev.slipway.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a key stands for, as a small file.
 *
 * @param bytes what the layer's files hold together, those shared with others counted in full
 * @param warnings sentences without line breaks
 */
record LayerEntry(LayerId layer, long bytes, List<String> warnings) {
  LayerEntry {
    warnings = List.copyOf(warnings);
  }

  /** Empty where there is none, or not to its end. */
  static Optional<LayerEntry> read(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.size() < 2
          ? Optional.empty()
          : Optional.of(
              new LayerEntry(
                  new LayerId(lines.getFirst()),
                  Long.parseLong(lines.get(1)),
                  lines.subList(2, lines.size())));
    } catch (IOException | IllegalArgumentException absentOrDamaged) {
      return Optional.empty();
    }
  }

  void write(Path file) throws IOException {
    Stream<String> head = Stream.of(layer.value(), Long.toString(bytes));
    Stream<String> lines =
        Stream.concat(head, warnings.stream().map(warning -> warning.replaceAll("\\R", " ")));
    Disk.writeDurably(file, String.join("\n", lines.toList()) + "\n");
  }
}
