package dev.slipway.bench;

import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/**
 * What a page of a list costs among a million records, and among a thousand: both stores are asked
 * in turn, so that the machine's other work slows both. Ends all that it started.
 */
public final class ListsBench {
  private static final int SMALL = 1_000;
  private static final int LARGE = 1_000_000;
  private static final int PAGE = 20;
  private static final int DEEP_PAGE = 10_000;
  private static final int WARM_UP = 100;
  private static final int ROUNDS = 2_000;

  private ListsBench() {}

  /**
   * @param arguments none
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory("slipway-bench");
    Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwx--x--x"));
    try (FilledServer small = FilledServer.start(work.resolve("small"), SMALL);
        FilledServer large = FilledServer.start(work.resolve("large"), LARGE)) {
      System.out.printf("%-50s %9s %9s   %s%n", "p99 of a page", "thousand", "million", "ratios");
      warmUp(small, large);
      for (String list : lists()) {
        compare(list, small, "", large, "");
        String cursor = large.cursorOf(list, PAGE * DEEP_PAGE);
        compare(list + " (page 10,000)", small, "", large, cursor);
      }
    } finally {
      Trees.delete(work);
    }
  }

  /** The first requests of a process are slower than all that follow. */
  private static void warmUp(FilledServer... servers) throws IOException, InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      for (FilledServer server : servers) {
        server.page("deployments?", "");
        server.page("migrations?", "");
      }
    }
  }

  private static List<String> lists() {
    String project = "project_id=" + FilledServer.PROJECT;
    return List.of(
        "deployments?",
        "deployments?" + project,
        "deployments?status=live",
        "deployments?" + project + "&status=live",
        "migrations?",
        "migrations?status=complete");
  }

  private static void compare(
      String list, FilledServer small, String smallCursor, FilledServer large, String largeCursor)
      throws IOException, InterruptedException {
    String path = list.replaceAll(" .*", "") + "&limit=" + PAGE;
    Series few = new Series();
    Series many = new Series();
    for (int i = 0; i < WARM_UP + ROUNDS; i++) {
      Duration ofFew = small.page(path, smallCursor);
      Duration ofMany = large.page(path, largeCursor);
      if (i >= WARM_UP) {
        few.add(ofFew);
        many.add(ofMany);
      }
    }
    System.out.printf(
        "%-50s %6.2f ms %6.2f ms  p99 %4.2f  median %4.2f%n",
        list.replace(FilledServer.PROJECT, "…"),
        few.quantile(0.99),
        many.quantile(0.99),
        many.quantile(0.99) / few.quantile(0.99),
        many.median() / few.median());
  }
}
