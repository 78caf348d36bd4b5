package dev.slipway.edge;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate and its key.
 *
 * @param id another one for each certificate, also of one name
 * @param chain the host's first, then each one's issuer
 */
public record HostCertificate(String id, List<X509Certificate> chain, PrivateKey key) {
  public HostCertificate {
    chain = List.copyOf(chain);
  }

  X509Certificate[] chainArray() {
    return chain.toArray(X509Certificate[]::new);
  }

  /** A key says of itself no more than its kind. */
  @Override
  public String toString() {
    return "%s (%s)".formatted(id, key.getAlgorithm());
  }
}
