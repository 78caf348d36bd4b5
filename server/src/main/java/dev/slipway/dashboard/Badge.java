package dev.slipway.dashboard;

import java.util.Locale;

/**
 * A state as pages show it.
 *
 * @param tone a class of the styles: {@code ok}, {@code run}, {@code wait}, {@code warn}, {@code
 *     bad}, {@code off}
 */
public record Badge(String tone, String label) {
  /** A state by its name in the API, or the code of the failure that says more than that. */
  public static Badge of(String state) {
    return switch (state) {
      case "live" -> new Badge("ok", "Live");
      case "complete", "done" -> new Badge("ok", "Done");
      case "ready" -> new Badge("ok", "Ready");
      case "active" -> new Badge("ok", "Active");
      case "delivered" -> new Badge("ok", "Delivered");
      case "reachable" -> new Badge("ok", "Reachable");
      case "processing" -> new Badge("run", "Migrating");
      case "building",
          "deploying",
          "restarting",
          "preparing",
          "rotating",
          "restoring",
          "dropping",
          "running" ->
          new Badge("run", capital(state));
      case "queued", "pending" -> new Badge("wait", capital(state));
      case "not_deployed" -> new Badge("off", "Not deployed yet");
      case "failed", "crashing", "unreachable" -> new Badge("bad", capital(state));
      case "rolled_back" -> new Badge("off", "Rolled back");
      default -> new Badge("off", capital(state.replace('_', ' ')));
    };
  }

  /** Whether it will be another one soon. */
  public boolean isUnderWay() {
    return tone.equals("run") || tone.equals("wait");
  }

  /** A word as a label begins with it. */
  static String capital(String state) {
    return state.substring(0, 1).toUpperCase(Locale.ROOT) + state.substring(1);
  }
}
