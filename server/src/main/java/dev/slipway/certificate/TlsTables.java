package dev.slipway.certificate;

import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.edge.HostCertificate;
import dev.slipway.edge.TlsTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an edge in step with the certificates and challenges of the store: all of them again after
 * every change. Thread-safe.
 */
public final class TlsTables {
  private static final Logger log = LoggerFactory.getLogger(TlsTables.class);
  private static final String CHANNEL = "slipway_certificates";

  private final Database database;
  private final CertificateStore certificates;
  private final OrderStore orders;
  private final Optional<CertifiedKey> other;
  private volatile Consumer<TlsTable> edge = _ -> {};

  /** By the name that it is for. Guarded by this. */
  private Map<String, Known> known = Map.of();

  /**
   * @param print as the store has it
   */
  private record Known(String print, HostCertificate certificate) {}

  /**
   * @param other the operator's, for all names that have none of their own
   */
  public TlsTables(
      Database database,
      CertificateStore certificates,
      OrderStore orders,
      Optional<CertifiedKey> other) {
    this.database = database;
    this.certificates = certificates;
    this.orders = orders;
    this.other = other;
  }

  /** Who takes the tables. */
  public void feed(Consumer<TlsTable> taker) {
    edge = taker;
  }

  /** Follows changes made by others, and reads the first table. */
  public void follow(Notifications notifications) {
    notifications.subscribe(CHANNEL, _ -> tryRefresh(), this::tryRefresh);
    tryRefresh();
  }

  /** The same for a process that changes none itself: not before there is a connection. */
  public void mirror(Notifications notifications) {
    notifications.subscribe(CHANNEL, _ -> mirrorOnce(), this::mirrorOnce);
  }

  /** Whatever keeps the store from being read, such as a schema in the making, is tried again. */
  private void mirrorOnce() {
    try {
      refresh();
    } catch (RuntimeException e) {
      throw new TransientException("certificates could not be read: " + e.getMessage(), e);
    }
  }

  /** With the operator's own, in place of that which the table has. */
  public TlsTable configured(TlsTable table) {
    return new TlsTable(table.certificates(), otherForEdge(), table.challenges());
  }

  private Optional<HostCertificate> otherForEdge() {
    return other.map(it -> it.forEdge(""));
  }

  /** Runs a transaction that changes one of them; the edge here has it when this returns. */
  <T> T changing(Function<Handle, T> work) {
    T result =
        database.inTransaction(tx -> {
          T done = work.apply(tx);
          changed(tx);
          return done;
        });
    database.afterwards(this::tryRefresh);
    return result;
  }

  /** A domain is served, or is not any more. */
  public void changed(Handle tx) {
    Notifications.notify(tx, CHANNEL, "");
  }

  private void tryRefresh() {
    try {
      refresh();
    } catch (TransientException e) {
      // The edge serves with what it has; the next connection to the store reads them again.
      log.warn("certificates could not be read: {}", e.toString());
    }
  }

  private synchronized void refresh() {
    edge.accept(database.readCommitted(this::load));
  }

  private TlsTable load(Handle tx) {
    return new TlsTable(hostCertificates(tx), otherForEdge(), orders.challenges(tx));
  }

  /** Only those that are new are read and opened: there may be thousands. */
  private Map<String, HostCertificate> hostCertificates(Handle tx) {
    Map<String, String> prints = certificates.served(tx);
    Map<String, Known> next = new HashMap<>(known);
    next.entrySet().removeIf(it -> !it.getValue().print().equals(prints.get(it.getKey())));
    Set<String> fresh = new HashSet<>(prints.keySet());
    fresh.removeAll(next.keySet());
    certificates
        .served(tx, fresh)
        .forEach((name, certified) ->
            next.put(
                name,
                new Known(Objects.requireNonNull(prints.get(name)), certified.forEdge(name))));
    known = next;
    return next.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, it -> it.getValue().certificate()));
  }
}
