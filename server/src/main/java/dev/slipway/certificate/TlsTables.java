package dev.slipway.certificate;

import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.edge.HostCertificate;
import dev.slipway.edge.TlsTable;
import java.util.Map;
import java.util.Optional;
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

  /** Runs a transaction that changes one of them; the edge here has it when this returns. */
  <T> T changing(Function<Handle, T> work) {
    T result =
        database.inTransaction(tx -> {
          T done = work.apply(tx);
          changed(tx);
          return done;
        });
    tryRefresh();
    return result;
  }

  /** A domain is served, or is not any more. */
  public void changed(Handle tx) {
    Notifications.notify(tx, CHANNEL, "");
  }

  private synchronized void tryRefresh() {
    try {
      edge.accept(database.readCommitted(this::load));
    } catch (TransientException e) {
      // The edge serves with what it has; the next connection to the store reads them again.
      log.warn("certificates could not be read: {}", e.toString());
    }
  }

  private TlsTable load(Handle tx) {
    Map<String, HostCertificate> byName =
        certificates.served(tx).entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, entry -> entry.getValue().forEdge(entry.getKey())));
    return new TlsTable(byName, other.map(it -> it.forEdge("")), orders.challenges(tx));
  }
}
