package dev.slipway.certificate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Whom a client of TLS believes. */
public final class Trust {
  private Trust() {}

  /**
   * The authorities of a PEM file, and nobody else.
   *
   * @throws IllegalStateException with a sentence for the operator
   */
  public static SSLContext inFile(Path file) {
    try {
      CertificateChain authorities =
          CertificateChain.parse(Files.readString(file))
              .orElseThrow(() ->
                  new IllegalStateException(
                      "acme.ca_file: %s holds no certificate in PEM".formatted(file)));
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (X509Certificate authority : authorities.certificates()) {
        store.setCertificateEntry(authority.getSerialNumber().toString(), authority);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(
          "acme.ca_file: %s cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }
}
