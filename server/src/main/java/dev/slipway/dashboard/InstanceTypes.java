package dev.slipway.dashboard;

import dev.slipway.api.LocalRequest;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an instance may take, by the name of its type. */
final class InstanceTypes {
  private InstanceTypes() {}

  /**
   * @param memoryMb in units of 1024 times 1024 bytes
   */
  record Type(String name, int memoryMb, BigDecimal cpus) {
    String text() {
      return "%s: %s MB, %s CPU"
          .formatted(name, Shown.number(memoryMb), cpus.stripTrailingZeros().toPlainString());
    }
  }

  /**
   * All of them to choose from, and the one that is chosen, also where the server has it no more.
   */
  static List<Option> options(Visit visit, String chosen) {
    List<Option> options = new ArrayList<>();
    for (Type type : visit.list(LocalRequest.of("listInstanceTypes"), Type.class).records()) {
      options.add(new Option(type.name(), type.text()));
    }
    if (options.stream().noneMatch(it -> it.value().equals(chosen))) {
      options.add(new Option(chosen, chosen));
    }
    return options;
  }

  /** Empty where the server has it no more. */
  static Optional<Type> find(Visit visit, String name) {
    return visit.list(LocalRequest.of("listInstanceTypes"), Type.class).records().stream()
        .filter(it -> it.name().equals(name))
        .findFirst();
  }

  static String describe(Visit visit, String name) {
    return find(visit, name).map(Type::text).orElse(name);
  }
}
