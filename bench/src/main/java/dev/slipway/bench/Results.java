package dev.slipway.bench;

import java.io.PrintStream;

/** The table that the bench prints: a line when its measurements are complete. */
final class Results {
  private final PrintStream out;

  Results(PrintStream out) {
    this.out = out;
  }

  void head(String title, String against) {
    out.printf("%n%-46s %9s %9s %8s %7s %4s%n", title, "median", "p90", against, "ratio", "n");
  }

  void time(String what, Series times) {
    out.printf(
        "%-46s %6.0f ms %6.0f ms %8s %7s %4d%n",
        what, times.median(), times.quantile(0.9), "", "", times.size());
  }

  /** A time beside the one that it is judged by. */
  void ratio(String what, Series times, Series raw) {
    out.printf(
        "%-46s %6.0f ms %6.0f ms %5.0f ms %7.2f %4d%n",
        what,
        times.median(),
        times.quantile(0.9),
        raw.median(),
        times.median() / raw.median(),
        times.size());
  }

  /** What releases of one application take together, beside the first of them. */
  void disk(String what, int releases, long oneKilobytes, long allKilobytes) {
    out.printf(
        "%n%s: %d releases on disk %.1f MiB, one %.1f MiB, ratio %.2f%n",
        what,
        releases,
        allKilobytes / 1024.0,
        oneKilobytes / 1024.0,
        (double) allKilobytes / oneKilobytes);
  }

  /** How long a request takes while nothing happens, and beside a build. */
  void answers(String what, Series idle, Series busy) {
    out.printf("%n%-46s %9s %9s %9s %4s%n", what, "median", "p99", "longest", "n");
    answers("while nothing is built", idle);
    answers("while it is built", busy);
  }

  private void answers(String when, Series times) {
    out.printf(
        "%-46s %6.1f ms %6.1f ms %6.1f ms %4d%n",
        when, times.median(), times.quantile(0.99), times.quantile(1), times.size());
  }

  void slow(String what, SlowRequests.Report report) {
    out.printf("%-46s %8d requests, %d failed%n", what, report.requests(), report.failed());
    report.firstFaults().forEach(fault -> out.println("    " + fault));
  }

  void streams(String what, LongStreams.Report report) {
    out.printf(
        "%-46s %8d streams, %d failed, %d messages%n",
        what, report.streams(), report.failed(), report.heard());
    report.firstFaults().forEach(fault -> out.println("    " + fault));
  }

  void load(String what, Load.Report report) {
    out.printf(
        "%-46s %8d requests, %d failed, %d stale, %.0f/s%n",
        what, report.requests(), report.failed(), report.stale(), report.perSecond());
    report.firstFaults().forEach(fault -> out.println("    " + fault));
  }
}
