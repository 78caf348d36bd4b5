package dev.slipway.framework.python;

import java.util.List;

/**
 * Exact versions of all that an application needs, as a lockfile has them.
 *
 * @param names of the packages
 * @param texts as an installer takes them, for example {@code anyio==4.4.0 ; python_version >=
 *     "3.9"}
 * @param indexes addresses of further package indexes
 * @param missing what is asked for and not in the lockfile
 */
record Pins(
    List<String> names, List<String> texts, List<String> indexes, List<Requirement> missing) {
  Pins {
    names = List.copyOf(names);
    texts = List.copyOf(texts);
    indexes = List.copyOf(indexes);
    missing = List.copyOf(missing);
  }
}
