package dev.slipway.bench;

import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * What a page of the dashboard costs in an account with a million deployments, and in one with a
 * thousand: both servers are asked in turn, so that the machine's other work slows both. Ends all
 * that it started.
 */
public final class PagesBench {
  private static final int SMALL = 1_000;
  private static final int LARGE = 1_000_000;
  private static final int WARM_UP = 100;
  private static final int ROUNDS = 300;
  private static final String DEPLOYMENT = "dep_" + "0".repeat(22) + "1000";

  private static final List<String> PAGES =
      List.of(
          "projects",
          "projects/" + FilledServer.PROJECT,
          "projects/" + FilledServer.PROJECT + "/deployments",
          "projects/" + FilledServer.PROJECT + "/metrics?range=30d",
          "projects/" + FilledServer.PROJECT + "/variables",
          "projects/" + FilledServer.PROJECT + "/settings",
          "deployments",
          "deployments?status=live",
          "deployments/" + DEPLOYMENT,
          "new",
          "databases",
          "settings",
          "settings/keys",
          "settings/usage",
          "settings/audit");

  private PagesBench() {}

  /**
   * @param arguments none
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory("slipway-bench");
    Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwx--x--x"));
    try (FilledServer small = FilledServer.start(work.resolve("small"), SMALL);
        FilledServer large = FilledServer.start(work.resolve("large"), LARGE)) {
      String cookieOfSmall = small.signIn();
      String cookieOfLarge = large.signIn();
      System.out.printf(
          "%-36s %9s %9s %9s %9s %7s%n", "page", "thousand", "million", "p99", "bytes", "ratio");
      for (String page : PAGES) {
        Series few = new Series();
        Series many = new Series();
        int bytes = 0;
        for (int i = 0; i < WARM_UP + ROUNDS; i++) {
          FilledServer.Looked ofFew = small.look(page, cookieOfSmall);
          FilledServer.Looked ofMany = large.look(page, cookieOfLarge);
          bytes = Math.max(bytes, ofMany.bytes());
          if (i >= WARM_UP) {
            few.add(ofFew.took());
            many.add(ofMany.took());
          }
        }
        System.out.printf(
            "%-36s %6.2f ms %6.2f ms %6.2f ms %9d %7.2f%n",
            page.replace(FilledServer.PROJECT, "…").replace(DEPLOYMENT, "…"),
            few.median(),
            many.median(),
            many.quantile(0.99),
            bytes,
            many.median() / few.median());
      }
    } finally {
      Trees.delete(work);
    }
  }
}
