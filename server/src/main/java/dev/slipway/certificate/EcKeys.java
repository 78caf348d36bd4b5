package dev.slipway.certificate;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;

/** The keys that this server makes: on the curve P-256, which every client knows. */
final class EcKeys {
  private EcKeys() {}

  static KeyPair next() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has P-256", e);
    }
  }

  /** The length of the private key, that key, and the public one. */
  static byte[] bytes(KeyPair pair) {
    byte[] secret = pair.getPrivate().getEncoded();
    byte[] open = pair.getPublic().getEncoded();
    return ByteBuffer.allocate(Integer.BYTES + secret.length + open.length)
        .putInt(secret.length)
        .put(secret)
        .put(open)
        .array();
  }

  static KeyPair read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte[] secret = new byte[in.getInt()];
    in.get(secret);
    byte[] open = new byte[in.remaining()];
    in.get(open);
    try {
      KeyFactory factory = KeyFactory.getInstance("EC");
      return new KeyPair(
          factory.generatePublic(new X509EncodedKeySpec(open)),
          factory.generatePrivate(new PKCS8EncodedKeySpec(secret)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("stored keys are damaged", e);
    }
  }
}
