package dev.slipway.edge;

import java.util.Map;
import java.util.Optional;

/**
 * Everything of TLS at one moment; swapped as a whole.
 *
 * @param certificates by host name: lower case
 * @param other for all other names, and for clients that name none; without it they are refused
 * @param challenges what to answer to an authority that asks for a token at {@code
 *     /.well-known/acme-challenge/}
 */
public record TlsTable(
    Map<String, HostCertificate> certificates,
    Optional<HostCertificate> other,
    Map<String, String> challenges) {
  public static final TlsTable EMPTY = new TlsTable(Map.of(), Optional.empty(), Map.of());

  public TlsTable {
    certificates = Map.copyOf(certificates);
    challenges = Map.copyOf(challenges);
  }

  Optional<HostCertificate> of(String host) {
    return Optional.ofNullable(certificates.get(host)).or(() -> other);
  }
}
