package dev.slipway.certificate;

import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** Private keys as text and bytes. */
final class KeyText {
  private static final byte[] SAMPLE = {1, 2, 3};

  private KeyText() {}

  /** In PKCS #8, PKCS #1 or SEC 1; empty where it is none of these, or encrypted. */
  static Optional<PrivateKey> parse(String pem) {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
      // The parameters of a curve may stand before the key.
      for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
        if (next instanceof PrivateKeyInfo info) {
          return Optional.of(converter.getPrivateKey(info));
        }
        if (next instanceof PEMKeyPair pair) {
          return Optional.of(converter.getPrivateKey(pair.getPrivateKeyInfo()));
        }
      }
      return Optional.empty();
    } catch (IOException | RuntimeException e) { // The parser has many ways to say no.
      return Optional.empty();
    }
  }

  /** What {@link PrivateKey#getEncoded} gave. */
  static PrivateKey decode(String algorithm, byte[] pkcs8) {
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a stored key is damaged", e);
    }
  }

  /** Whether the two belong together. */
  static boolean isPair(PrivateKey key, PublicKey certified) {
    if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
      return false;
    }
    try {
      String name = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
      Signature signature = Signature.getInstance(name);
      signature.initSign(key);
      signature.update(SAMPLE);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(SAMPLE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
