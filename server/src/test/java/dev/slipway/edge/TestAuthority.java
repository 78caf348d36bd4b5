package dev.slipway.edge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority that certifies whatever the test asks for. */
public final class TestAuthority {
  private static final SecureRandom RANDOM = new SecureRandom();
  private final Instant now = Instant.now();

  private final X500Principal name = new X500Principal("CN=Test Authority");
  private final KeyPair keys = keys("EC");
  private final X509Certificate root =
      certificate(name, keys, true, now.minusSeconds(60), now.plus(Duration.ofDays(400)));

  /** For 90 days, with a key on a curve. */
  public HostCertificate issue(String... hosts) {
    return issue("EC", now.minusSeconds(60), now.plus(Duration.ofDays(90)), hosts);
  }

  /**
   * @param algorithm of the host's key: {@code EC} or {@code RSA}
   */
  public HostCertificate issue(String algorithm, Instant from, Instant to, String... hosts) {
    KeyPair pair = keys(algorithm);
    X509Certificate host =
        certificate(new X500Principal("CN=" + hosts[0]), pair, false, from, to, hosts);
    return new HostCertificate(
        host.getSerialNumber().toString(16), List.of(host, root), pair.getPrivate());
  }

  public X509Certificate root() {
    return root;
  }

  /** Trusts this authority alone. */
  public SSLContext trust() {
    return trusting(root);
  }

  /** Trusts what this certificate's holder certifies, and nobody else. */
  public static SSLContext trusting(X509Certificate root) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry("root", root);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public PemTrustOptions trustOptions() {
    return new PemTrustOptions().addCertValue(Buffer.buffer(pem(List.of(root))));
  }

  public static String pem(List<X509Certificate> chain) {
    StringBuilder pem = new StringBuilder();
    try {
      for (X509Certificate certificate : chain) {
        pem.append(pem("CERTIFICATE", certificate.getEncoded()));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return pem.toString();
  }

  public static String pem(String kind, byte[] bytes) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes));
  }

  private static KeyPair keys(String algorithm) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(algorithm.equals("EC") ? 256 : 2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private X509Certificate certificate(
      X500Principal subject,
      KeyPair subjectKeys,
      boolean authority,
      Instant from,
      Instant to,
      String... hosts) {
    try {
      var builder =
          new JcaX509v3CertificateBuilder(
              name,
              new BigInteger(64, RANDOM),
              Date.from(from),
              Date.from(to),
              subject,
              subjectKeys.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      if (hosts.length > 0) {
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(
                Arrays.stream(hosts)
                    .map(host -> new GeneralName(GeneralName.dNSName, host))
                    .toArray(GeneralName[]::new)));
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }
}
