package dev.slipway.dashboard;

import java.time.Instant;
import java.util.List;

/**
 * Who did what.
 *
 * @param older where what was before is; empty where there is nothing
 * @param newest where it begins; empty where this is there
 */
public record AuditPage(List<Row> entries, String older, String newest) {
  /**
   * @param what in words
   * @param subject the id of what it was done to
   * @param link to that; empty where there is no page of it
   * @param detail for people; may be empty
   */
  public record Row(
      String what,
      String subject,
      String link,
      String detail,
      String actor,
      boolean byKey,
      Instant at) {}
}
