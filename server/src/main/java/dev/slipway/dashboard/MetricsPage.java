package dev.slipway.dashboard;

import java.util.List;

/**
 * What a project's requests were and what its instances took.
 *
 * @param ranges to choose from, each with whether it is this one
 * @param step what a point stands for
 * @param heads of the table of all values
 * @param rows its rows, oldest first; the first cell of each is the time
 */
public record MetricsPage(
    ProjectHead head,
    List<Range> ranges,
    String step,
    List<Plot> plots,
    List<String> heads,
    List<List<String>> rows) {
  public MetricsPage {
    ranges = List.copyOf(ranges);
    plots = List.copyOf(plots);
    heads = List.copyOf(heads);
    rows = List.copyOf(rows);
  }

  /** One of the ranges, by its code in the address. */
  public record Range(String code, boolean chosen) {}
}
