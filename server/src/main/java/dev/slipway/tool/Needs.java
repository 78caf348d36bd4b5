package dev.slipway.tool;

import java.util.List;
import java.util.Optional;

/** Which Node the package managers of npm's world run with, where they differ. */
final class Needs {
  private record Need(String tool, int major, VersionRange node) {
    Need(String tool, int major, String node) {
      this(tool, major, VersionRange.parse(node).orElseThrow());
    }
  }

  // From the newest of each to the oldest, as their manifests say under engines.
  private static final List<Need> ALL =
      List.of(
          new Need("npm", 12, "^22.22.2 || ^24.15.0 || >=26.0.0"),
          new Need("npm", 11, "^20.17.0 || >=22.9.0"),
          new Need("npm", 10, "^18.17.0 || >=20.5.0"),
          new Need("npm", 9, "^14.17.0 || ^16.13.0 || >=18.0.0"),
          new Need("npm", 8, "^12.13.0 || ^14.15.0 || >=16"),
          new Need("npm", 6, "*"),
          new Need("pnpm", 12, ">=18"),
          new Need("pnpm", 11, ">=22.13"),
          new Need("pnpm", 10, ">=18.12"),
          new Need("pnpm", 9, ">=18.12"),
          new Need("pnpm", 8, ">=16.14"),
          new Need("pnpm", 7, ">=14.6"),
          new Need("pnpm", 5, "*"),
          new Need("yarn", 4, ">=18.12"),
          new Need("yarn", 3, ">=12"));

  private Needs() {}

  /** Whether this version runs with it; newer ones than we know need what the newest known does. */
  static boolean met(String tool, Version version, Version node) {
    return need(tool, version.major()).map(need -> need.node().allows(node)).orElse(true);
  }

  /**
   * Of the versions that are asked for those that run with this Node; all of them, where none does
   * or none of them is known here.
   */
  static VersionRange narrowed(String tool, VersionRange range, Version node) {
    for (Need need : ALL) {
      if (need.tool().equals(tool) && need.node().allows(node)) {
        VersionRange below = VersionRange.parse("<=" + need.major()).orElseThrow();
        VersionRange both = range.and(newestOf(tool) == need.major() ? VersionRange.ANY : below);
        return both.possible() ? both : range;
      }
    }
    return range;
  }

  private static Optional<Need> need(String tool, int major) {
    return ALL.stream()
        .filter(need -> need.tool().equals(tool) && need.major() <= major)
        .findFirst();
  }

  private static int newestOf(String tool) {
    return ALL.stream()
        .filter(need -> need.tool().equals(tool))
        .mapToInt(Need::major)
        .findFirst()
        .orElseThrow();
  }
}
