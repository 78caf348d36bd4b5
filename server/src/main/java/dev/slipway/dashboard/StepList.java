package dev.slipway.dashboard;

import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.deployment.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The steps of a deployment: those that were done, and those that usually follow.
 *
 * @param took all of them together, where it has ended
 */
public record StepList(List<StepLine> lines, Optional<Duration> took) {
  /** In their order. An application's own steps of installing and building begin with these. */
  private static final List<String> BUILD =
      List.of("fetch", "plan", "tools", "install", "build", "pack", "start");

  private static final List<String> ROLLBACK = List.of("start");
  private static final double LEAST_WIDTH = 0.8;

  public StepList {
    lines = List.copyOf(lines);
  }

  /** Before there is a deployment. */
  static StepList toCome() {
    return new StepList(BUILD.stream().map(it -> ahead(it, "waiting")).toList(), Optional.empty());
  }

  static StepList of(Deployment deployment, List<Step> steps, Instant now) {
    List<StepLine> lines = new ArrayList<>();
    if (!steps.isEmpty()) {
      Instant begin = steps.getFirst().startedAt();
      Instant end = steps.stream().map(it -> endOf(it, now)).max(Instant::compareTo).orElse(now);
      steps.forEach(it -> lines.add(line(it, begin, end, now)));
    }
    List<String> ahead = ahead(deployment, steps);
    if (deployment.status().unfinished()) {
      ahead.forEach(it -> lines.add(ahead(it, "waiting")));
    } else if (deployment.status() == DeploymentStatus.FAILED) {
      ahead.forEach(it -> lines.add(ahead(it, "skipped")));
    }
    Deployment.Times times = deployment.times();
    return new StepList(
        lines, times.live().or(times::ended).map(end -> Duration.between(times.created(), end)));
  }

  private static List<String> ahead(Deployment deployment, List<Step> steps) {
    List<String> usual = deployment.isRollback() ? ROLLBACK : BUILD;
    int reached = steps.stream().mapToInt(it -> usual.indexOf(kind(it.name()))).max().orElse(-1);
    return usual.subList(reached + 1, usual.size());
  }

  /** {@code build} of {@code build-packages.ui}. */
  private static String kind(String name) {
    return name.contains("-") ? name.substring(0, name.indexOf('-')) : name;
  }

  private static StepLine line(Step step, Instant begin, Instant end, Instant now) {
    double whole = Math.max(1, Duration.between(begin, end).toMillis());
    Duration took = Duration.between(step.startedAt(), endOf(step, now));
    StepLine.Bar bar =
        new StepLine.Bar(
            percent(Duration.between(begin, step.startedAt()).toMillis() / whole * 100),
            percent(Math.max(took.toMillis() / whole * 100, LEAST_WIDTH)));
    boolean running = step.outcome() == Step.Outcome.RUNNING;
    return new StepLine(
        title(step.name()),
        switch (step.outcome()) {
          case RUNNING -> "running";
          case SUCCEEDED -> "done";
          case FAILED, CUT_OFF -> "failed";
        },
        switch (step.outcome()) {
          case RUNNING -> "running";
          case SUCCEEDED -> "done";
          case FAILED -> "failed";
          case CUT_OFF -> "cut off";
        },
        Optional.of(bar),
        running ? Optional.of(step.startedAt()) : Optional.empty(),
        step.endedAt().isPresent() || running ? Shown.duration(took) : "cut off");
  }

  private static StepLine ahead(String name, String state) {
    return new StepLine(title(name), state, state, Optional.empty(), Optional.empty(), state);
  }

  private static Instant endOf(Step step, Instant now) {
    return step.endedAt().orElse(step.outcome() == Step.Outcome.RUNNING ? now : step.startedAt());
  }

  private static String title(String name) {
    String words = name.equals("plan") ? "detect" : name.replaceFirst("-", " ");
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
