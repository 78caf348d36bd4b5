package dev.slipway.framework;

import dev.slipway.core.FailureCode;
import dev.slipway.core.Serving;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How an application is built and served. Paths are relative to the root of its repository, and
 * empty for that root.
 *
 * @param framework the value of the API field {@code framework}
 * @param rootDirectory of the application
 * @param tools in what versions programs are needed, in the order in which they are found
 * @param install what fetches the dependencies; empty where there are none
 * @param steps run in this order after the install; a failing one ends the build
 * @param caches directories that make the next build of the project faster, no part of the release
 * @param findings sentences for the log: what was found, what was decided, what was worked around
 */
public record BuildPlan(
    String framework,
    String rootDirectory,
    List<Tool> tools,
    Optional<Install> install,
    List<Step> steps,
    Serving serving,
    List<String> caches,
    List<Finding> findings) {

  public BuildPlan {
    tools = List.copyOf(tools);
    steps = List.copyOf(steps);
    caches = List.copyOf(caches);
    findings = List.copyOf(findings);
  }

  /** The same plan with other sentences for the log. */
  public BuildPlan withFindings(List<Finding> others) {
    return new BuildPlan(framework, rootDirectory, tools, install, steps, serving, caches, others);
  }

  /** The same plan with other tools. */
  public BuildPlan withTools(List<Tool> others) {
    return new BuildPlan(
        framework, rootDirectory, others, install, steps, serving, caches, findings);
  }

  /**
   * How dependencies are fetched. What the steps write is kept and used again by builds whose
   * {@code inputs} are the same.
   *
   * @param inputs the files that decide what is installed, as paths or globs: lockfiles, manifests,
   *     patches
   * @param again scripts of the application that are part of the install and depend on more than
   *     the inputs: run where the rest was kept
   */
  public record Install(List<Step> steps, List<String> inputs, List<Step> again) {
    public Install {
      steps = List.copyOf(steps);
      inputs = List.copyOf(inputs);
      again = List.copyOf(again);
    }
  }

  /**
   * One program of the build.
   *
   * @param name as the log and the timeline show it, for example {@code install}
   * @param directory that it runs in
   * @param argv an argument vector, never a shell line; its words may hold variables, see {@link
   *     dev.slipway.core.Words}
   * @param env variables on top of the user's, which their values may hold
   * @param onFailure what a non-zero exit means
   * @param fallback another way for a known kind of failure
   */
  public record Step(
      String name,
      String directory,
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
   * @param next what is looked at where the sign is missing, or this way fails as well
   */
  public record Fallback(String sign, List<String> argv, String warning, Optional<Fallback> next) {
    public Fallback {
      argv = List.copyOf(argv);
    }

    /** One with nothing after it. */
    public Fallback(String sign, List<String> argv, String warning) {
      this(sign, argv, warning, Optional.empty());
    }
  }

  /**
   * @param warning whether the user should change something
   */
  public record Finding(boolean warning, String sentence) {}
}
