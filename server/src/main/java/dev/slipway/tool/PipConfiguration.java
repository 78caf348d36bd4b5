package dev.slipway.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What the machine's and the user's {@code pip.conf} say, as the variables that pip reads. */
final class PipConfiguration {
  private static final Set<String> SECTIONS = Set.of("[global]", "[install]");

  private PipConfiguration() {}

  /**
   * @param home of the server's user, whose settings win over the machine's
   */
  static Map<String, String> of(Path etc, Path home) {
    Map<String, String> variables = new LinkedHashMap<>();
    List<Path> files =
        List.of(
            etc.resolve("pip.conf"),
            home.resolve(".pip/pip.conf"),
            home.resolve(".config/pip/pip.conf"));
    for (Path file : files) {
      if (Files.isReadable(file)) {
        read(file, variables);
      }
    }
    return variables;
  }

  private static void read(Path file, Map<String, String> variables) {
    boolean ours = false;
    String name = "";
    for (String line : lines(file)) {
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#") || text.startsWith(";")) {
        continue;
      }
      int separator = text.indexOf('=') < 0 ? text.indexOf(':') : text.indexOf('=');
      if (text.startsWith("[")) {
        ours = SECTIONS.contains(text.toLowerCase(Locale.ROOT));
        name = "";
      } else if (Character.isWhitespace(line.charAt(0)) && !name.isEmpty()) {
        variables.merge(name, text, (before, more) -> (before + " " + more).strip());
      } else if (ours && separator > 0) {
        name =
            "PIP_"
                + text.substring(0, separator).strip().toUpperCase(Locale.ROOT).replace('-', '_');
        variables.put(name, text.substring(separator + 1).strip());
      }
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + file + " failed", e);
    }
  }
}
