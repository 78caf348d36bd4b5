package dev.slipway.edge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.slipway.vault.Vault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The edge's tables as text, for its disk: routes as they are, certificates sealed. */
final class TableText {
  private static final String OWNER = "the edge's certificates";

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // of a later version
          .registerModule(new Jdk8Module())
          .registerModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addDeserializer(Instant.class, new InstantReader()));

  private TableText() {}

  static String write(RouteTable table) {
    try {
      return JSON.writeValueAsString(table);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("routes cannot be written as JSON", e);
    }
  }

  /** Throws any exception where it is not what {@link #write} wrote. */
  static RouteTable readRoutes(String text) {
    try {
      return JSON.readValue(text, RouteTable.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without what the configuration brings, and without challenges, which are of the moment. */
  static String write(TlsTable table, Vault vault) {
    Map<String, Saved> saved = new HashMap<>();
    table.certificates().forEach((host, certificate) -> saved.put(host, Saved.of(certificate)));
    try {
      return Base64.getEncoder().encodeToString(vault.seal(JSON.writeValueAsBytes(saved), OWNER));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("certificates cannot be written as JSON", e);
    }
  }

  /** Throws any exception where it is not what {@link #write} wrote. */
  static TlsTable readCertificates(String text, Vault vault) {
    Map<String, HostCertificate> certificates = new HashMap<>();
    try {
      Map<String, Saved> saved =
          JSON.readValue(
              vault.open(Base64.getDecoder().decode(text), OWNER),
              JSON.getTypeFactory().constructMapType(Map.class, String.class, Saved.class));
      for (Map.Entry<String, Saved> entry : saved.entrySet()) {
        certificates.put(entry.getKey(), entry.getValue().certificate());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return new TlsTable(certificates, Optional.empty(), Map.of());
  }

  /**
   * A certificate with its key.
   *
   * @param chain X.509, DER
   * @param key PKCS#8, in base64
   */
  private record Saved(String id, List<byte[]> chain, String algorithm, String key) {
    static Saved of(HostCertificate certificate) {
      return new Saved(
          certificate.id(),
          certificate.chain().stream().map(Saved::encoded).toList(),
          certificate.key().getAlgorithm(),
          Base64.getEncoder().encodeToString(certificate.key().getEncoded()));
    }

    private static byte[] encoded(Certificate certificate) {
      try {
        return certificate.getEncoded();
      } catch (CertificateException e) {
        throw new IllegalStateException("a certificate that is served cannot be written", e);
      }
    }

    HostCertificate certificate() throws GeneralSecurityException {
      CertificateFactory certificates = CertificateFactory.getInstance("X.509");
      List<X509Certificate> read = new ArrayList<>();
      for (byte[] der : chain) {
        read.add((X509Certificate) certificates.generateCertificate(new ByteArrayInputStream(der)));
      }
      return new HostCertificate(
          id,
          read,
          KeyFactory.getInstance(algorithm)
              .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))));
    }
  }

  private static final class InstantReader extends FromStringDeserializer<Instant> {
    @Serial private static final long serialVersionUID = 1;

    InstantReader() {
      super(Instant.class);
    }

    @Override
    protected Instant _deserialize(String text, DeserializationContext context) {
      return Instant.parse(text);
    }
  }
}
