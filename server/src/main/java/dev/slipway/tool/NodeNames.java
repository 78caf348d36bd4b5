package dev.slipway.tool;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The names of Node versions that {@code .nvmrc} may hold. */
final class NodeNames {
  private static final Map<String, String> LONG_TERM =
      Map.ofEntries(
          Map.entry("argon", "4"),
          Map.entry("boron", "6"),
          Map.entry("carbon", "8"),
          Map.entry("dubnium", "10"),
          Map.entry("erbium", "12"),
          Map.entry("fermium", "14"),
          Map.entry("gallium", "16"),
          Map.entry("hydrogen", "18"),
          Map.entry("iron", "20"),
          Map.entry("jod", "22"),
          Map.entry("krypton", "24"));

  /** Whatever is in use now: what the host has. */
  private static final String ANY = "*";

  private NodeNames() {}

  /** The range that a name stands for; empty where it is no such name. */
  static Optional<String> range(String text) {
    String name = text.strip().toLowerCase(Locale.ROOT);
    return switch (name) {
      case "node", "latest", "current", "stable", "lts", "lts/*", "lts/latest", "system" ->
          Optional.of(ANY);
      default -> Optional.ofNullable(LONG_TERM.get(name.replaceFirst("^lts/", "")));
    };
  }
}
