package dev.slipway.edge;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.EdgeId;
import dev.slipway.core.InstanceId;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.db.TestDatabase;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A store, and edges that are asked over it, or not; ends all of it. */
final class TrafficPlace implements AutoCloseable {
  final Database database = TestDatabase.fresh();
  final Notifications notifications = Notifications.open(database.address());
  final EdgeLocks locks = new EdgeLocks(folder());
  final List<TestEdge> edges = new ArrayList<>();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  TrafficPlace() {
    // Instances of nothing: it is not about what they are copies of.
    database.useTransaction(
        tx -> tx.execute("ALTER TABLE instance DROP CONSTRAINT instance_deployment_id_fkey"));
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory("edge-locks-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TestEdge edge() {
    TestEdge edge = new TestEdge();
    edges.add(edge);
    return edge;
  }

  /** An edge that only the store leads to. */
  TestEdge remoteEdge() {
    TestEdge edge = edge();
    EdgeLink link = link(database, edge.edge);
    link.join();
    link.follow(notifications);
    awaitEars();
    return edge;
  }

  /** Of an edge that the test moves by hand, over a connection to the store of its own. */
  EdgeLink link(Database connection, Traffic edge) {
    return link(connection, edge, TestEdge.LIMIT);
  }

  EdgeLink link(Database connection, Traffic edge, Duration closedAtMost) {
    return link(connection, routes(connection), edge, closedAtMost);
  }

  EdgeLink link(Database connection, Routes routes, Traffic edge, Duration closedAtMost) {
    return link(EdgeId.next(), connection, routes, edge, closedAtMost);
  }

  EdgeLink link(
      EdgeId id, Database connection, Routes routes, Traffic edge, Duration closedAtMost) {
    EdgeLink link = new EdgeLink(id, connection, routes, edge, closedAtMost);
    open.push(link);
    return link;
  }

  Routes routes(Database connection) {
    return new Routes(
        connection,
        new RouteStore(
            new Addresses(URI.create("http://localhost:8080"), "localhost"), Duration.ofHours(1)));
  }

  /** The server's end, which the test moves by hand. */
  RemoteEdges server(Database connection, boolean alone, Duration answerLimit) {
    RemoteEdges server = new RemoteEdges(connection, alone, locks, answerLimit);
    open.push(server);
    return server;
  }

  /** The server's end, which moves by itself and knows that there are no edges yet. */
  RemoteEdges server(boolean alone) {
    RemoteEdges server = server(database, alone, TestEdge.LIMIT);
    look(server, Presence.LOOKS);
    server.follow(notifications);
    awaitEars();
    return server;
  }

  static void look(RemoteEdges server, int times) {
    for (int i = 0; i < times; i++) {
      server.look();
    }
  }

  /** What subscribed before this hears what is said after it. */
  void awaitEars() {
    CountDownLatch heard = new CountDownLatch(1);
    notifications.subscribe("ears", _ -> {}, heard::countDown);
    try {
      if (!heard.await(TestEdge.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the store is not heard");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes the row that the instance has as long as it is there. */
  Target row(Target target) {
    database.useTransaction(tx ->
        tx.execute(
            "INSERT INTO instance VALUES (?, ?, 'main', ?, 'STOPPING', now())",
            target.instance().value(),
            DeploymentId.next().value(),
            target.port()));
    return target;
  }

  InstanceId instance() {
    return row(TestEdge.deadTarget()).instance();
  }

  /** Leads the shop there, at every edge. */
  void route(Target... targets) {
    edges.forEach(edge -> edge.route(TestEdge.SHOP, targets));
  }

  int count(String table) {
    return database.read(
        tx -> tx.createQuery("SELECT count(*) FROM " + table).mapTo(Integer.class).one());
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    edges.forEach(TestEdge::close);
    notifications.close();
    database.close();
    Trees.delete(locks.folder());
  }
}
