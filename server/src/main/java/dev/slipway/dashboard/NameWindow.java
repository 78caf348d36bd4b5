package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * Those of many names that a page shows.
 *
 * @param first the place of the first, from 1 on
 * @param total how many there are in all
 * @param next the first of the names that follow
 */
public record NameWindow(List<String> names, int first, int total, Optional<String> next) {
  /** With what can be done to each of them, that many are well below 100 KB. */
  static final int SIZE = 25;

  public NameWindow {
    names = List.copyOf(names);
  }

  /**
   * The part with a name.
   *
   * @param sorted all of them
   * @param name need not be among them
   */
  static NameWindow of(List<String> sorted, String name) {
    int before = (int) sorted.stream().filter(it -> it.compareTo(name) < 0).count();
    int begin = Math.min(before, Math.max(0, sorted.size() - 1)) / SIZE * SIZE;
    int end = Math.min(begin + SIZE, sorted.size());
    return new NameWindow(
        sorted.subList(begin, end),
        begin + 1,
        sorted.size(),
        sorted.stream().skip(end).findFirst());
  }

  public boolean isAll() {
    return names.size() == total;
  }

  public int last() {
    return first + names.size() - 1;
  }
}
