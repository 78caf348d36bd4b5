package dev.slipway.runtime.process;

import dev.slipway.core.InstanceId;
import dev.slipway.core.Serving;
import dev.slipway.core.TransientException;
import dev.slipway.core.Words;
import dev.slipway.runtime.AppRuntime;
import dev.slipway.runtime.Capabilities;
import dev.slipway.runtime.Exit;
import dev.slipway.runtime.InstanceSpec;
import dev.slipway.runtime.Printed;
import dev.slipway.runtime.RunningInstance;
import dev.slipway.runtime.Usage;
import dev.slipway.sandbox.Ending;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.SandboxSpec;
import dev.slipway.sandbox.SandboxedProcess;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs instances as sandboxed processes of this host, one directory an instance.
 *
 * <p>What is known of an instance is in its directory; the map is only a view of it, so that a
 * server that was killed finds everything again.
 */
public final class ProcessRuntime implements AppRuntime {
  private static final String HOST = "127.0.0.1";

  /** A port is leased to one instance alone, and so is the user that goes with it. */
  private static final int FIRST_UID = 200_000;

  private final Sandbox sandbox;
  private final Path directory;
  private final ConcurrentMap<InstanceId, Instance> instances = new ConcurrentHashMap<>();

  /**
   * @param directory for the instances' directories and nothing else; made if absent
   */
  public ProcessRuntime(Sandbox sandbox, Path directory) {
    this.sandbox = sandbox;
    this.directory = directory;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(sandbox.isolation(), sandbox.memoryLimit());
  }

  @Override
  public RunningInstance start(InstanceSpec spec) {
    return instances
        .compute(spec.id(), (id, known) -> runs(known) ? known : foundOrStarted(id, spec))
        .running();
  }

  @Override
  public void stop(InstanceId id, Duration grace) {
    instance(id)
        .ifPresent(instance -> {
          instance.process().stop(grace);
          instance.files().deleteScratch();
        });
  }

  @Override
  public Map<InstanceId, RunningInstance> recover(Set<InstanceId> known) {
    sandbox.endLeftovers(
        directory, known.stream().map(InstanceId::value).collect(Collectors.toSet()));
    Map<InstanceId, RunningInstance> running = new HashMap<>();
    for (InstanceId id : known) {
      Optional<Instance> instance = instance(id);
      if (instance.isEmpty()) {
        // Its supervisor may be about to begin: nothing may run that is reported as gone.
        sandbox.end(files(id).directory());
      } else if (instance.get().process().alive()) {
        running.put(id, instance.get().running());
      } else {
        instance.get().files().deleteScratch();
      }
    }
    return running;
  }

  @Override
  public CompletableFuture<Exit> exit(InstanceId id) {
    return instance(id)
        .map(instance -> instance.process().exit().thenApply(ProcessRuntime::exit))
        .orElseGet(() -> CompletableFuture.completedFuture(Exit.UNKNOWN));
  }

  @Override
  public Set<Integer> ports(InstanceId id) {
    ListeningSockets sockets = ListeningSockets.ofHost();
    return instance(id).map(it -> it.process().pids()).orElse(Set.of()).stream()
        .flatMap(pid -> sockets.portsOf(pid).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Optional<Usage> usage(InstanceId id) {
    return instance(id)
        .map(Instance::process)
        .filter(SandboxedProcess::alive)
        .map(SandboxedProcess::usage)
        .map(usage -> new Usage(usage.cpuNanos(), usage.memoryBytes()));
  }

  @Override
  public List<String> output(InstanceId id, int maxLines) {
    return instance(id).map(it -> it.process().lastOutput(maxLines)).orElse(List.of());
  }

  @Override
  public Printed printed(InstanceId id, long from, int maxBytes) {
    return instance(id)
        .map(it -> it.process().printed(from, maxBytes))
        .map(piece -> new Printed(piece.from(), piece.bytes(), piece.at()))
        .orElseGet(() -> new Printed(from, new byte[0], Instant.EPOCH));
  }

  @Override
  public long printedBytes(InstanceId id) {
    return instance(id).map(it -> it.process().printedBytes()).orElse(0L);
  }

  @Override
  public void forget(InstanceId id) {
    instances.computeIfPresent(
        id,
        (_, instance) -> {
          if (instance.process().alive()) {
            throw new IllegalStateException(id + " runs and cannot be forgotten");
          }
          return null;
        });
    sandbox.end(files(id).directory());
  }

  private Instance foundOrStarted(InstanceId id, InstanceSpec spec) {
    return found(id).filter(ProcessRuntime::runs).orElseGet(() -> started(spec));
  }

  private Instance started(InstanceSpec spec) {
    InstanceFiles files = files(spec.id());
    sandbox.end(files.directory());
    try {
      files.writePort(spec.port());
      SandboxedProcess process = sandbox.start(sandboxed(spec, files));
      return new Instance(new RunningInstance(spec.id(), HOST, spec.port()), files, process);
    } catch (UncheckedIOException | IllegalStateException hostRefused) {
      sandbox.end(files.directory());
      throw new TransientException("starting " + spec.id() + " failed", hostRefused);
    } catch (RuntimeException e) {
      sandbox.end(files.directory());
      throw e;
    }
  }

  private static SandboxSpec sandboxed(InstanceSpec spec, InstanceFiles files) {
    Map<String, String> env = new HashMap<>(spec.env().values());
    env.put("PORT", Integer.toString(spec.port()));
    env.replaceAll((name, value) ->
        value.equals(spec.program().env().get(name)) ? Words.expand(value, env) : value);
    List<String> path = new ArrayList<>(spec.program().path());
    spec.tools().path().forEach(directory -> path.add(directory.toString()));
    return new SandboxSpec(
        spec.id().value(),
        files.directory(),
        spec.program().directory(),
        commands(spec.program(), env),
        env,
        path,
        new SandboxSpec.Files.CopyOnWrite(spec.layers(), files.scratch()),
        spec.tools().directories(),
        FIRST_UID + spec.port(),
        spec.limits(),
        SandboxSpec.Network.HOST,
        SandboxSpec.Output.KEPT);
  }

  private static List<List<String>> commands(Serving.Program program, Map<String, String> env) {
    return program.commands().stream().map(words -> Words.expand(words, env)).toList();
  }

  /** The instance as known here or as it lies on disk, running or ended. */
  private Optional<Instance> instance(InstanceId id) {
    return Optional.ofNullable(instances.computeIfAbsent(id, absent -> found(absent).orElse(null)));
  }

  private Optional<Instance> found(InstanceId id) {
    InstanceFiles files = files(id);
    return files
        .port()
        .flatMap(port ->
            sandbox
                .find(files.directory())
                .map(process -> new Instance(new RunningInstance(id, HOST, port), files, process)));
  }

  private InstanceFiles files(InstanceId id) {
    return new InstanceFiles(directory.resolve(id.value()));
  }

  private static Exit exit(Ending ending) {
    return new Exit(ending.status(), ending.outOfMemory());
  }

  private static boolean runs(@Nullable Instance instance) {
    return instance != null && instance.process().alive();
  }

  private record Instance(RunningInstance running, InstanceFiles files, SandboxedProcess process) {}
}
