package dev.slipway.certificate;

import dev.slipway.core.Secret;
import dev.slipway.edge.HostCertificate;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A chain and the key of its host. */
public record CertifiedKey(CertificateChain chain, PrivateKey key) {
  private static final Set<String> ALGORITHMS = Set.of("EC", "RSA");
  private static final int MIN_RSA_BITS = 2048;

  /**
   * Reads what somebody brought.
   *
   * @throws FaultException with a sentence that says what is wrong with it
   */
  public static CertifiedKey read(String chainPem, Secret keyPem) {
    CertificateChain chain =
        CertificateChain.parse(chainPem)
            .orElseThrow(() ->
                new FaultException(
                    Part.CERTIFICATE,
                    "is no certificate in PEM; give the host's first, then those of its issuers"));
    PrivateKey key =
        KeyText.parse(keyPem.reveal())
            .orElseThrow(() ->
                new FaultException(
                    Part.KEY, "is no private key in PEM, or one that asks for a password"));
    if (!ALGORITHMS.contains(key.getAlgorithm())) {
      throw new FaultException(Part.KEY, "must be an RSA key or one on a curve (EC)");
    }
    if (!KeyText.isPair(key, chain.host().getPublicKey())) {
      throw new FaultException(Part.KEY, "is not the key of the first certificate");
    }
    if (chain.host().getPublicKey() instanceof RSAPublicKey rsa
        && rsa.getModulus().bitLength() < MIN_RSA_BITS) {
      throw new FaultException(Part.KEY, "is shorter than 2048 bits");
    }
    requireOrder(chain);
    return new CertifiedKey(chain, key);
  }

  private static void requireOrder(CertificateChain chain) {
    List<X509Certificate> all = chain.certificates();
    for (int i = 1; i < all.size(); i++) {
      try {
        all.get(i - 1).verify(all.get(i).getPublicKey());
      } catch (GeneralSecurityException e) {
        throw new FaultException(
            Part.CERTIFICATE,
            "is out of order: number %d did not issue number %d".formatted(i + 1, i));
      }
    }
  }

  /** Why it cannot be a host's now. */
  public Optional<String> unfit(String host, Instant now) {
    if (!chain.covers(host)) {
      return Optional.of(
          "is for %s, not for %s"
              .formatted(
                  chain.names().limit(5).reduce((a, b) -> a + ", " + b).orElse("no host"), host));
    }
    if (!now.isBefore(chain.expiresAt())) {
      return Optional.of("has expired, on " + chain.expiresAt());
    }
    return now.isBefore(chain.startsAt())
        ? Optional.of("is not valid before " + chain.startsAt())
        : Optional.empty();
  }

  HostCertificate forEdge(String host) {
    return new HostCertificate(
        host + " " + chain.host().getSerialNumber().toString(16), chain.certificates(), key);
  }

  /** Which of the two is wrong. */
  public enum Part {
    CERTIFICATE,
    KEY;

    /** Its name in a request. */
    String field() {
      return switch (this) {
        case CERTIFICATE -> "certificate";
        case KEY -> "private_key";
      };
    }
  }

  /** What was brought cannot be used; the message goes on after its name. */
  public static final class FaultException extends RuntimeException {
    private final Part part;

    FaultException(Part part, String message) {
      super(message);
      this.part = part;
    }

    public Part part() {
      return part;
    }
  }
}
