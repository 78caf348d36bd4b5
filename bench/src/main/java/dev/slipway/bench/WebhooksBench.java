package dev.slipway.bench;

import dev.slipway.sandbox.Trees;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * How long ten thousand events take to nine endpoints, beside a tenth that takes connections and
 * never answers, and without it, in turn. Ends all that it started.
 */
public final class WebhooksBench {
  private static final int EVENTS = 10_000;
  private static final int LIVING = 9;
  private static final int ROUNDS = 3;
  private static final int BACKLOG = 10_000;
  private static final Duration LIMIT = Duration.ofMinutes(15);

  private final Vertx vertx;
  private final EventServer server;
  private int round;

  private WebhooksBench(Vertx vertx, EventServer server) {
    this.vertx = vertx;
    this.server = server;
  }

  /** An endpoint that answers at once. */
  private record Living(HttpServer server, AtomicInteger count) {
    static Living start(Vertx vertx) {
      AtomicInteger count = new AtomicInteger();
      HttpServer server =
          vertx
              .createHttpServer()
              .requestHandler(request ->
                  request
                      .end()
                      .onSuccess(_ -> {
                        count.incrementAndGet();
                        request.response().end();
                      }))
              .listen(0, "127.0.0.1")
              .toCompletionStage()
              .toCompletableFuture()
              .join();
      return new Living(server, count);
    }

    String url() {
      return "http://127.0.0.1:%d/".formatted(server.actualPort());
    }
  }

  /**
   * @param arguments none
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory("slipway-bench");
    Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwx--x--x"));
    Vertx vertx = Vertx.vertx();
    try (EventServer server = new EventServer(work)) {
      WebhooksBench bench = new WebhooksBench(vertx, server);
      System.out.printf("%-24s %9s   heap in MiB at 0, 25, 50, 75, 100 %%%n", "", "living");
      Series without = new Series();
      Series with = new Series();
      bench.run("warm-up", false);
      for (int i = 0; i < ROUNDS; i++) {
        without.add(bench.run("without the dead one", false));
        with.add(bench.run("with it", true));
      }
      System.out.printf(
          "%nuntil the living have all: %.1f s with a dead one, %.1f s without, ratio %.2f%n",
          with.median() / 1000, without.median() / 1000, with.median() / without.median());
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
      Trees.delete(work);
    }
  }

  /** Until each of the living has all. */
  private Duration run(String what, boolean withDead) throws IOException, InterruptedException {
    List<Living> living = new ArrayList<>();
    List<String> webhooks = new ArrayList<>();
    try (ServerSocket dead = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
      if (withDead) {
        webhooks.add(server.addWebhook("http://127.0.0.1:%d/".formatted(dead.getLocalPort())));
      }
      for (int i = 0; i < LIVING; i++) {
        living.add(Living.start(vertx));
        webhooks.add(server.addWebhook(living.getLast().url()));
      }
      StringBuilder heap = new StringBuilder(heap());
      long begin = System.nanoTime();
      server.happen(EVENTS, round++);
      Duration inGc = Duration.ZERO;
      for (int quarter = 1; quarter <= 4; quarter++) {
        await(living, EVENTS * quarter / 4, begin);
        if (quarter < 4) {
          long beginGc = System.nanoTime();
          heap.append(heap());
          inGc = inGc.plusNanos(System.nanoTime() - beginGc);
        }
      }
      Duration took = Duration.ofNanos(System.nanoTime() - begin).minus(inGc);
      heap.append(heap());
      System.out.printf("%-24s %7.1f s  %s%n", what, took.toMillis() / 1000.0, heap);
      return took;
    } finally {
      for (String webhook : webhooks) {
        server.deleteWebhook(webhook);
      }
      living.forEach(it -> it.server().close());
    }
  }

  private static void await(List<Living> living, int count, long begin) {
    while (living.stream().anyMatch(it -> it.count().get() < count)) {
      if (System.nanoTime() - begin > LIMIT.toNanos()) {
        throw new IllegalStateException("an endpoint has not got its events in time");
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  /** What lives, of the server and of the endpoints: they share this process. */
  private static String heap() {
    System.gc();
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return " %5.1f".formatted(used / 1024.0 / 1024.0);
  }
}
