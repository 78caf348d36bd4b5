package dev.slipway.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;

class KeyTextTest {
  private static final String OF_OPENSSL =
      """
      -----BEGIN EC PARAMETERS-----
      BggqhkjOPQMBBw==
      -----END EC PARAMETERS-----
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIP548MVjQT5zePudphvEHI5PGQkh0G9qlwryNrixTClIoAoGCCqGSM49
      AwEHoUQDQgAE8fU7294CtcWY3PRM//xJtM7lY1Nz/mazcuje2zA/lQwVQ7Kxv2T0
      McD9edlAUZ4jspYMIXFgxsTJAKCXqqf8Yg==
      -----END EC PRIVATE KEY-----
      """;

  @Test
  void theFormsOfOpensslAreRead() throws GeneralSecurityException, IOException {
    KeyPair pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    StringWriter text = new StringWriter();
    try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
      pem.writeObject(pair.getPrivate());
    }

    assertThat(text.toString()).contains("BEGIN RSA PRIVATE KEY");
    assertThat(KeyText.parse(text.toString())).contains(pair.getPrivate());
    assertThat(KeyText.isPair(pair.getPrivate(), pair.getPublic())).isTrue();
    PrivateKey curve = KeyText.parse(OF_OPENSSL).orElseThrow();
    assertThat(curve.getAlgorithm()).isEqualTo("EC");
    assertThat(KeyText.decode("EC", curve.getEncoded())).isEqualTo(curve);
    assertThat(KeyText.isPair(curve, pair.getPublic())).isFalse();
  }

  @Test
  void theKeysOfThisServerSurviveBeingStored() {
    KeyPair pair = EcKeys.next();

    KeyPair read = EcKeys.read(EcKeys.bytes(pair));
    assertThat(read.getPrivate()).isEqualTo(pair.getPrivate());
    assertThat(read.getPublic()).isEqualTo(pair.getPublic());
  }
}
