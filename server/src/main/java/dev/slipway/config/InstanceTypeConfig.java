package dev.slipway.config;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one instance of an application may use.
 *
 * @param memoryMb MiB, hard
 * @param cpus processors, fractions allowed
 */
public record InstanceTypeConfig(String name, int memoryMb, double cpus) {
  /** The first is what an application gets that asks for none. */
  public static final List<InstanceTypeConfig> DEFAULTS =
      List.of(
          new InstanceTypeConfig("small", 512, 0.5),
          new InstanceTypeConfig("medium", 2048, 1),
          new InstanceTypeConfig("large", 8192, 2));

  static List<InstanceTypeConfig> readAll(List<Section> sections) {
    Set<String> names = new HashSet<>();
    return sections.stream().flatMap(section -> read(section, names).stream()).toList();
  }

  private static Optional<InstanceTypeConfig> read(Section section, Set<String> earlierNames) {
    Optional<String> name = section.required("name", Kinds.NAME);
    Optional<Integer> memory = section.required("memory_mb", Kinds.MEMORY_MB);
    Optional<Double> cpus = section.required("cpus", Kinds.CPUS);
    section.end();
    section.checkUnique("name", name, earlierNames);
    return name.flatMap(
        it -> memory.flatMap(mb -> cpus.map(share -> new InstanceTypeConfig(it, mb, share))));
  }
}
