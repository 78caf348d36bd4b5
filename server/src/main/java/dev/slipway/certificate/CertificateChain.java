package dev.slipway.certificate;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * A host's certificate and those of its issuers.
 *
 * @param certificates at least one; the host's first
 */
public record CertificateChain(List<X509Certificate> certificates) {
  private static final int DNS_NAME = 2;
  private static final int LINE = 64;

  public CertificateChain {
    certificates = List.copyOf(certificates);
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("a chain without a certificate");
    }
  }

  /** Empty where the text holds no certificates, or something else. */
  public static Optional<CertificateChain> parse(String pem) {
    try {
      List<X509Certificate> read =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      return read.isEmpty() ? Optional.empty() : Optional.of(new CertificateChain(read));
    } catch (CertificateException e) {
      return Optional.empty();
    }
  }

  public X509Certificate host() {
    return certificates.getFirst();
  }

  public Instant startsAt() {
    return host().getNotBefore().toInstant();
  }

  public Instant expiresAt() {
    return host().getNotAfter().toInstant();
  }

  /** Who issued it, as people know it: the common name, or the whole name where there is none. */
  public String issuer() {
    String name = host().getIssuerX500Principal().getName();
    try {
      return new LdapName(name)
          .getRdns().stream()
              .filter(part -> part.getType().equalsIgnoreCase("CN"))
              .map(Rdn::getValue)
              .map(String::valueOf)
              .findFirst()
              .orElse(name);
    } catch (InvalidNameException e) {
      return name;
    }
  }

  /** Whether it is for the host; a star stands for one label (RFC 6125, 6.4.3). */
  public boolean covers(String host) {
    String parent = "*" + host.substring(Math.max(0, host.indexOf('.')));
    return names().anyMatch(name -> name.equals(host) || name.equals(parent));
  }

  Stream<String> names() {
    try {
      return Stream.ofNullable(host().getSubjectAlternativeNames())
          .flatMap(Collection::stream)
          .filter(name -> name.getFirst().equals(DNS_NAME))
          .map(name -> String.valueOf(name.get(1)).toLowerCase(Locale.ROOT));
    } catch (CertificateParsingException e) {
      return Stream.of();
    }
  }

  String pem() {
    return certificates.stream().map(CertificateChain::pem).collect(Collectors.joining());
  }

  private static String pem(X509Certificate certificate) {
    try {
      return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
          .formatted(
              Base64.getMimeEncoder(LINE, new byte[] {'\n'})
                  .encodeToString(certificate.getEncoded()));
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    }
  }
}
