package dev.slipway.dashboard;

import java.util.List;

/**
 * Curves over one stretch of time.
 *
 * @param value what is told of all of it
 * @param note beside that; may be empty
 * @param label the same as a sentence, for those who do not see it
 * @param columns the columns of the table of values that its lines are, for the reading at the
 *     pointer; empty where there is no table
 * @param heights what is written at the upper edge, the middle and the ground; may be empty
 * @param times what is written below, from left to right; may be empty
 */
public record Plot(
    String title,
    String value,
    String note,
    String label,
    List<Line> lines,
    String columns,
    List<String> heights,
    List<String> times) {
  public Plot {
    lines = List.copyOf(lines);
    heights = List.copyOf(heights);
    times = List.copyOf(times);
  }

  /**
   * @param tone a class of the styles; may be empty
   * @param name where there are several
   * @param filled whether what lies below it is
   */
  public record Line(Curve curve, String tone, String name, boolean filled) {
    /** The classes of its path. */
    public String classes(String kind) {
      return tone.isEmpty() ? kind : kind + " " + tone;
    }
  }

  /** A small one without scales. */
  static Plot small(String title, String value, String note, String label, Line line) {
    return new Plot(title, value, note, label, List.of(line), "", List.of(), List.of());
  }

  public boolean isSmall() {
    return heights.isEmpty();
  }
}
