package dev.slipway.runtime;

import com.sun.net.httpserver.HttpServer;
import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.core.TransientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * An engine whose programs are small HTTP servers of the test itself; each answers the value of its
 * variable {@code GREETING}, and 503 everywhere but at {@code HEALTHY_AT} where that is set. It is
 * told what the next starts shall do; else they succeed.
 *
 * <p>It does not extend the contract of the engines: that runs programs of Node.
 */
public final class FakeRuntime implements AppRuntime, AutoCloseable {
  /** How a start turns out. */
  public enum Start {
    ANSWERS,
    /** It prints why and ends with status 1. */
    ENDS_AT_ONCE,
    RUNS_OUT_OF_MEMORY,
    IS_NO_PROGRAM,
    /** Something answers on its port, but not the program itself. */
    ANOTHER_ANSWERS,
    /** It listens on a port of its own choice, and answers there. */
    LISTENS_ELSEWHERE,
    /** It answers everything with status 500. */
    ANSWERS_WITH_500,
    /** The engine does not answer. */
    ENGINE_IS_AWAY
  }

  /** What a program that ends at once has printed. */
  public static final String LAST_LINE = "Error: cannot reach postgres://ada:s3cret-of-ada@db";

  private final Deque<Start> next = new ConcurrentLinkedDeque<>();
  private final Deque<Runnable> during = new ConcurrentLinkedDeque<>();
  private volatile Runnable duringStops = () -> {};
  private final List<InstanceSpec> started = new CopyOnWriteArrayList<>();
  private final Map<InstanceId, Program> programs = new ConcurrentHashMap<>();

  private final Map<InstanceId, byte[]> printed = new ConcurrentHashMap<>();

  /** One that was started, with the port that it listens on where it does. */
  private record Program(
      InstanceSpec spec,
      Start start,
      Optional<HttpServer> server,
      Optional<Integer> port,
      CompletableFuture<Exit> exit) {
    static Program serving(InstanceSpec spec, Start start, HttpServer server) {
      return new Program(
          spec,
          start,
          Optional.of(server),
          Optional.of(server.getAddress().getPort()),
          new CompletableFuture<>());
    }

    void end(Exit status) {
      server.ifPresent(it -> it.stop(0));
      exit.complete(status);
    }
  }

  /** What the next starts shall do, one after the other. */
  public void nextStarts(Start... starts) {
    next.addAll(List.of(starts));
  }

  /** Is run in the middle of the next start. */
  public void duringNextStart(Runnable work) {
    during.add(work);
  }

  /** Is run in the middle of every stop. */
  public void duringStops(Runnable work) {
    duringStops = work;
  }

  /** All that was started, the oldest first. */
  public List<InstanceSpec> started() {
    return List.copyOf(started);
  }

  public Set<InstanceId> running() {
    return programs.entrySet().stream()
        .filter(entry -> !entry.getValue().exit().isDone())
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The program ends by itself. */
  public void crash(InstanceId id) {
    known(id).orElseThrow().end(new Exit(1, false));
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities("none, a fake", true);
  }

  @Override
  public RunningInstance start(InstanceSpec spec) {
    Optional.ofNullable(during.poll()).ifPresent(Runnable::run);
    programs.compute(
        spec.id(), (_, known) -> known != null && !known.exit().isDone() ? known : begin(spec));
    return new RunningInstance(spec.id(), "127.0.0.1", spec.port());
  }

  private Program begin(InstanceSpec spec) {
    started.add(spec);
    return program(spec, Optional.ofNullable(next.poll()).orElse(Start.ANSWERS));
  }

  private static Program program(InstanceSpec spec, Start start) {
    return switch (start) {
      case ANSWERS, ANOTHER_ANSWERS -> Program.serving(spec, start, serve(spec, spec.port(), 200));
      case LISTENS_ELSEWHERE -> Program.serving(spec, start, serve(spec, 0, 200));
      case ANSWERS_WITH_500 -> Program.serving(spec, start, serve(spec, spec.port(), 500));
      case ENDS_AT_ONCE -> ended(spec, start, new Exit(1, false));
      case RUNS_OUT_OF_MEMORY -> ended(spec, start, new Exit(137, true));
      case IS_NO_PROGRAM ->
          throw new AppFailure(
              FailureCode.START_FAILED, "There is no program " + spec.program().commands());
      case ENGINE_IS_AWAY ->
          throw new TransientException("the engine does not answer", new IOException("refused"));
    };
  }

  private static Program ended(InstanceSpec spec, Start start, Exit exit) {
    return new Program(
        spec, start, Optional.empty(), Optional.empty(), CompletableFuture.completedFuture(exit));
  }

  private static HttpServer serve(InstanceSpec spec, int port, int status) {
    byte[] greeting =
        spec.env().values().getOrDefault("GREETING", "").getBytes(StandardCharsets.UTF_8);
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext(
          "/",
          exchange -> {
            boolean healthy =
                Optional.ofNullable(spec.env().values().get("HEALTHY_AT"))
                    .map(exchange.getRequestURI().toString()::equals)
                    .orElse(true);
            exchange.sendResponseHeaders(
                healthy ? status : 503, greeting.length == 0 ? -1 : greeting.length);
            exchange.getResponseBody().write(greeting);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("port " + spec.port() + " is not free", e);
    }
  }

  @Override
  public void stop(InstanceId id, Duration grace) {
    duringStops.run();
    known(id).ifPresent(program -> program.end(new Exit(143, false)));
  }

  @Override
  public Map<InstanceId, RunningInstance> recover(Set<InstanceId> known) {
    Map<InstanceId, RunningInstance> found = new HashMap<>();
    for (InstanceId id : running()) {
      if (known.contains(id)) {
        found.put(id, new RunningInstance(id, "127.0.0.1", port(id)));
      } else {
        stop(id, Duration.ZERO);
      }
    }
    return found;
  }

  @Override
  public CompletableFuture<Exit> exit(InstanceId id) {
    return known(id)
        .map(program -> program.exit().copy())
        .orElseGet(() -> CompletableFuture.completedFuture(Exit.UNKNOWN));
  }

  @Override
  public Set<Integer> ports(InstanceId id) {
    return known(id)
        .filter(it -> running().contains(id) && it.start() != Start.ANOTHER_ANSWERS)
        .flatMap(Program::port)
        .map(Set::of)
        .orElse(Set.of());
  }

  @Override
  public List<String> output(InstanceId id, int maxLines) {
    return known(id).filter(it -> it.start() == Start.ENDS_AT_ONCE).isPresent()
        ? List.of(LAST_LINE)
        : List.of();
  }

  /** The program prints this; at the time that the engine shows for it. */
  public void print(InstanceId id, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    printed.merge(
        id,
        bytes,
        (before, more) -> {
          byte[] all = Arrays.copyOf(before, before.length + more.length);
          System.arraycopy(more, 0, all, before.length, more.length);
          return all;
        });
  }

  @Override
  public Printed printed(InstanceId id, long from, int maxBytes) {
    byte[] all = printed.getOrDefault(id, new byte[0]);
    int begin = (int) Math.min(all.length, from);
    return new Printed(
        begin,
        Arrays.copyOfRange(all, begin, Math.min(all.length, begin + maxBytes)),
        Instant.now());
  }

  @Override
  public long printedBytes(InstanceId id) {
    return printed.getOrDefault(id, new byte[0]).length;
  }

  @Override
  public void forget(InstanceId id) {
    printed.remove(id);
    programs.remove(id);
  }

  @Override
  public void close() {
    programs.keySet().forEach(id -> stop(id, Duration.ZERO));
  }

  private int port(InstanceId id) {
    return known(id).orElseThrow().spec().port();
  }

  private Optional<Program> known(InstanceId id) {
    return Optional.ofNullable(programs.get(id));
  }
}
