package dev.slipway.framework;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.StreamSupport;

/** A directory of a repository with an application that could be built. */
record Candidate(String directory, Framework framework) {
  private static final Set<String> ASIDE =
      Set.of(
          "example",
          "examples",
          "sample",
          "samples",
          "demo",
          "demos",
          "template",
          "templates",
          "test",
          "tests",
          "__tests__",
          "e2e",
          "fixtures",
          "benchmark",
          "benchmarks");

  /** Whether it is there to show or test something, and not what the repository is about. */
  boolean isAside() {
    return StreamSupport.stream(Path.of(directory).spliterator(), false)
        .anyMatch(name -> ASIDE.contains(name.toString()));
  }

  @Override
  public String toString() {
    return "%s (%s)".formatted(directory, framework.name());
  }
}
