package dev.slipway.config;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A place where applications run, under the name that requests use. */
public record RegionConfig(String name, RuntimeKind runtime) {
  public static final List<RegionConfig> DEFAULTS =
      List.of(new RegionConfig("us-east-1", RuntimeKind.PROCESS));

  static List<RegionConfig> readAll(List<Section> sections) {
    Set<String> names = new HashSet<>();
    return sections.stream().flatMap(section -> read(section, names).stream()).toList();
  }

  private static Optional<RegionConfig> read(Section section, Set<String> earlierNames) {
    Optional<String> name = section.required("name", Kinds.NAME);
    Optional<RuntimeKind> runtime = section.required("runtime", Kinds.oneOf(RuntimeKind.class));
    section.end();
    section.checkUnique("name", name, earlierNames);
    return name.flatMap(it -> runtime.map(by -> new RegionConfig(it, by)));
  }
}
