package dev.slipway.build;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Words;
import dev.slipway.framework.BuildPlan.Fallback;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.runlog.RunLog;
import dev.slipway.sandbox.DiskUse;
import dev.slipway.sandbox.Ending;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.SandboxSpec;
import dev.slipway.sandbox.SandboxedProcess;
import dev.slipway.tool.OperatorSettings;
import dev.slipway.tool.Provision;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** Runs the programs of one build, each in the sandbox, with their output in the log. */
final class StepRunner {
  /** Their homes and temporary directories are made for them by the sandbox. */
  private static final List<String> PLACES = List.of("HOME", "TMPDIR");

  private final Sandbox sandbox;
  private final BuildConfig config;
  private final OperatorSettings operator;
  private final DownloadCaches caches;
  private final Provision provision;
  private final Workspace workspace;
  private final BuildRequest request;
  private final BuildNetwork network;
  private final RunLog log;
  private OptionalLong givenBytes = OptionalLong.empty();

  /**
   * @param provision the tools of the plan
   * @param network that its programs are in
   */
  StepRunner(
      Tools tools,
      Provision provision,
      BuildNetwork network,
      Workspace workspace,
      BuildRequest request,
      RunLog log) {
    this.sandbox = tools.sandbox();
    this.config = tools.config();
    this.operator = tools.operator();
    this.caches = tools.caches();
    this.provision = provision;
    this.workspace = workspace;
    this.request = request;
    this.network = network;
    this.log = log;
  }

  /** What is the same for all builds. */
  record Tools(
      Sandbox sandbox, BuildConfig config, OperatorSettings operator, DownloadCaches caches) {}

  private record Result(Ending ending, StepOutput output, boolean diskWasFull) {
    boolean failed() {
      return ending.status() != 0;
    }
  }

  /**
   * Returns when the step has succeeded.
   *
   * @param files what it works on
   * @return what the user was warned of
   * @throws AppFailure if it failed, with the code of the step or of the limit that it met
   * @throws InterruptedException once nothing of it runs any more
   */
  Optional<String> run(Step step, SandboxSpec.Files files) throws InterruptedException {
    List<String> argv = step.argv();
    Result result = execute(step.name(), step, argv, files);
    Optional<Fallback> next = step.fallback();
    List<String> warnings = new ArrayList<>();
    while (result.failed()) {
      Optional<Fallback> fitting = fitting(next, result.output());
      if (fitting.isEmpty()) {
        throw failure(step, argv, result);
      }
      warnings.add(fitting.get().warning());
      log.warning(fitting.get().warning());
      argv = fitting.get().argv();
      next = fitting.get().next();
      String name = "%s-fallback-%d".formatted(step.name(), warnings.size());
      result = execute(name, step, argv, files);
    }
    return warnings.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", warnings));
  }

  private static Optional<Fallback> fitting(Optional<Fallback> first, StepOutput output) {
    Optional<Fallback> one = first;
    while (one.isPresent() && !output.mentions(one.get().sign())) {
      one = one.get().next();
    }
    return one;
  }

  /** Who runs them. */
  BuildUser user() {
    return caches.user(request.owner());
  }

  private Result execute(String name, Step step, List<String> argv, SandboxSpec.Files files)
      throws InterruptedException {
    log.info("$ " + String.join(" ", argv));
    Path run = workspace.run(name);
    BuildUser user = user();
    long given = given();
    BuildHome home = new BuildHome(run.resolve("home"), user);
    home.furnish(workspace.downloads(), operator.npmrc());
    StepOutput output = new StepOutput(log);
    try {
      return runToEnd(spec(name, run, step, argv, files, user), given, output);
    } finally {
      home.moveDownloads(workspace.downloads());
    }
  }

  private SandboxSpec spec(
      String name,
      Path run,
      Step step,
      List<String> argv,
      SandboxSpec.Files files,
      BuildUser user) {
    Map<String, String> env = new HashMap<>(operator.env());
    env.putAll(BuildHome.VARIABLES);
    env.putAll(request.variables().values());
    Map<String, String> outer = Map.copyOf(env);
    step.env().forEach((variable, value) -> env.put(variable, Words.expand(value, outer)));
    env.keySet().removeAll(PLACES);
    return new SandboxSpec(
        request.id() + "-" + name,
        run,
        step.directory(),
        List.of(Words.expand(argv, env)),
        env,
        provision.path().stream().map(Path::toString).toList(),
        files,
        Stream.concat(operator.files().stream(), provision.directories().stream()).toList(),
        user.uid(),
        config.limits(),
        network.get(),
        SandboxSpec.Output.PIPED);
  }

  /** What the build has on the disk before its first program, such as the account's downloads. */
  private synchronized long given() throws InterruptedException {
    if (givenBytes.isEmpty()) {
      try {
        givenBytes = OptionalLong.of(DiskUse.bytes(workspace.directory()));
      } catch (IOException e) {
        throw new UncheckedIOException("measuring " + workspace.directory() + " failed", e);
      }
    }
    return givenBytes.getAsLong();
  }

  private Result runToEnd(SandboxSpec spec, long given, StepOutput output)
      throws InterruptedException {
    SandboxedProcess process = sandbox.start(spec);
    // Reading a pipe is not interruptible, so another thread does; it ends with the program.
    Thread reader =
        Thread.ofVirtual()
            .name("output of " + spec.name())
            .start(() -> read(process.output().orElseThrow(), output));
    StepWatch watch = new StepWatch(process, workspace.directory(), given, config);
    try {
      Ending ending = process.exit().get();
      watch.requireNoBreach();
      return new Result(ending, output, watch.sawFullDisk());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      process.stop(Duration.ZERO);
      watch.end();
      reader.join();
    }
  }

  private static void read(InputStream from, StepOutput output) {
    try (from) {
      OutputLines.read(from, output::accept);
    } catch (IOException e) {
      output.accept("The rest of the output could not be read: " + e.getMessage());
    }
  }

  private static boolean saysNoSpace(StepOutput output) {
    return output.mentions("ENOSPC") || output.mentions("No space left on device");
  }

  private AppFailure failure(Step step, List<String> argv, Result result) {
    String command = String.join(" ", argv);
    StepOutput output = result.output();
    if (result.ending().outOfMemory() || output.mentions("JavaScript heap out of memory")) {
      return new AppFailure(
          FailureCode.OUT_OF_MEMORY,
          "The step %s (%s) needed more than the %d MiB of memory that a build may use (build.memory_mb)."
              .formatted(step.name(), command, config.limits().memoryMb()));
    }
    if (result.ending().outOfProcesses()) {
      return StepWatch.processLimit(config);
    }
    // Programs say the same when a limit of their own is met, such as that of watched files.
    if (saysNoSpace(output) && result.diskWasFull()) {
      return new AppFailure(
          FailureCode.DISK_FULL,
          "The step %s (%s) found the disk of the server full.".formatted(step.name(), command));
    }
    return new AppFailure(
        step.onFailure(),
        "The step %s failed: %s %s%s"
            .formatted(
                step.name(),
                command,
                ExitStatus.words(result.ending().status()),
                output.tellingLine().map(line -> ": " + line).orElse(" and printed nothing.")));
  }
}
