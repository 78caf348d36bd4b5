package dev.slipway.edge;

import dev.slipway.vault.Vault;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What an edge that is a process of its own was told by the store, kept on its disk as well: with
 * that it serves from its start on, whether the store answers or not. Thread-safe.
 */
public final class EdgeMemory implements Routes.Edge, AutoCloseable {
  private final EdgeServer edge;
  private final LastKnown<RouteTable> routes;
  private final LastKnown<TlsTable> certificates;

  /**
   * @param vault seals the keys of certificates
   */
  public EdgeMemory(EdgeFolder folder, Vault vault, EdgeServer edge) {
    this.edge = edge;
    this.routes = new LastKnown<>(folder.routes(), TableText::write, TableText::readRoutes);
    this.certificates =
        new LastKnown<>(
            folder.certificates(),
            table -> TableText.write(table, vault),
            text -> TableText.readCertificates(text, vault));
  }

  /**
   * Has the edge serve by what is on disk.
   *
   * @param configured adds what the configuration brings
   * @return whether there were routes
   */
  public boolean recall(UnaryOperator<TlsTable> configured) {
    edge.secure(configured.apply(certificates.read().orElse(TlsTable.EMPTY)));
    Optional<RouteTable> known = routes.read();
    known.ifPresent(edge::reset);
    return known.isPresent();
  }

  /** From now on the disk is written; until then another process may be doing so. */
  public void begin() {
    routes.begin();
    certificates.begin();
  }

  @Override
  public void apply(RouteTable table) {
    edge.apply(table);
    if (edge.version() == table.version()) {
      routes.keep(table);
    }
  }

  @Override
  public void reset(RouteTable table) {
    edge.reset(table);
    routes.keep(table);
  }

  public void secure(TlsTable table) {
    edge.secure(table);
    certificates.keep(table);
  }

  /** The disk is another process's from now on; what was taken last and not written, it has. */
  public void end() {
    routes.end();
    certificates.end();
  }

  /** What was taken last is on disk when this returns, which is not touched any more. */
  @Override
  public void close() {
    routes.close();
    certificates.close();
  }
}
