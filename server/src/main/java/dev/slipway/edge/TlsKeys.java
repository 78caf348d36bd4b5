package dev.slipway.edge;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Gives each handshake the certificate of the name that the client asks for, as the table says at
 * that moment. Thread-safe.
 *
 * <p>A handshake first chooses and then asks for key and chain one by one. What the table before
 * held is therefore still given out, so that a swap in between ends no handshake.
 */
final class TlsKeys extends X509ExtendedKeyManager {
  private volatile State state = new State(TlsTable.EMPTY, Map.of());

  /**
   * @param byId of this table and the one before
   */
  private record State(TlsTable table, Map<String, HostCertificate> byId) {}

  TlsTable table() {
    return state.table;
  }

  synchronized void apply(TlsTable table) {
    Map<String, HostCertificate> byId = new HashMap<>();
    add(byId, state.table);
    add(byId, table);
    state = new State(table, Map.copyOf(byId));
  }

  private static void add(Map<String, HostCertificate> byId, TlsTable table) {
    table.certificates().values().forEach(it -> byId.put(it.id(), it));
    table.other().ifPresent(it -> byId.put(it.id(), it));
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return state
        .table
        .of(host(engine))
        .filter(certificate -> certificate.key().getAlgorithm().equals(keyType))
        .map(HostCertificate::id)
        .orElse(null);
  }

  /** The name that the client asks for, or the empty string. */
  private static String host(SSLEngine engine) {
    if (!(engine.getHandshakeSession() instanceof ExtendedSSLSession session)) {
      return "";
    }
    return session.getRequestedServerNames().stream()
        .flatMap(name ->
            name instanceof SNIHostName host
                ? Optional.of(host.getAsciiName()).stream()
                : Optional.<String>empty().stream())
        .findFirst()
        .map(name -> name.toLowerCase(Locale.ROOT))
        .orElse("");
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return Optional.ofNullable(state.byId.get(alias)).map(HostCertificate::chainArray).orElse(null);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return Optional.ofNullable(state.byId.get(alias)).map(HostCertificate::key).orElse(null);
  }

  // The rest is for clients and for sockets, of which the edge has none.

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return List.copyOf(state.byId.keySet()).toArray(String[]::new);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
