package dev.slipway.framework;

import dev.slipway.core.FailureCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How an application is built and started.
 *
 * @param framework the value of the API field {@code framework}
 * @param steps run in this order in the application's directory; a failing one ends the build
 * @param start the program to run, as an argument vector; it is told its port by {@code PORT}
 * @param startEnv variables that the program gets unless the user set them
 * @param findings sentences for the log: what was found, what was decided, what was worked around
 */
public record BuildPlan(
    String framework,
    List<Step> steps,
    List<String> start,
    Map<String, String> startEnv,
    List<Finding> findings) {

  public BuildPlan {
    steps = List.copyOf(steps);
    start = List.copyOf(start);
    startEnv = Map.copyOf(startEnv);
    findings = List.copyOf(findings);
  }

  /**
   * One program of the build.
   *
   * @param name as the log and the timeline show it, for example {@code install}
   * @param argv an argument vector, never a shell line
   * @param env variables on top of the user's
   * @param onFailure what a non-zero exit means
   * @param fallback another way for a known kind of failure
   */
  public record Step(
      String name,
      List<String> argv,
      Map<String, String> env,
      FailureCode onFailure,
      Optional<Fallback> fallback) {
    public Step {
      argv = List.copyOf(argv);
      env = Map.copyOf(env);
    }
  }

  /**
   * What to run instead when a step fails in a way that can be worked around.
   *
   * @param sign text in the failed program's output that tells this kind of failure from others
   * @param argv an argument vector, run once with the step's own environment
   * @param warning a sentence for the log: what happened and what the user should change
   */
  public record Fallback(String sign, List<String> argv, String warning) {
    public Fallback {
      argv = List.copyOf(argv);
    }
  }

  /**
   * @param warning whether the user should change something
   */
  public record Finding(boolean warning, String sentence) {}
}
