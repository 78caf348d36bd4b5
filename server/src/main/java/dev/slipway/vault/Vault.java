package dev.slipway.vault;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import dev.slipway.core.EnvVars;
import dev.slipway.db.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;

/**
 * Seals secrets with the master key of this installation (AES-256-GCM by Tink). Thread-safe.
 *
 * <p>Each sealed value is bound to its owner, the id of the row that holds it: copied to another
 * row it does not open.
 */
public final class Vault {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Configuration ALGORITHMS = AeadConfig2026.get();

  private final Aead aead;

  private Vault(Aead aead) {
    this.aead = aead;
  }

  /**
   * Opens the vault with the key file, which is made (mode 0600, durable) where there is none.
   * Losing the file loses every secret.
   *
   * @throws IOException if the file cannot be read, written or understood
   */
  public static Vault open(Path keyFile) throws IOException {
    try {
      if (!Files.exists(keyFile)) {
        create(keyFile);
      }
      KeysetHandle keys =
          TinkJsonProtoKeysetFormat.parseKeyset(
              Files.readString(keyFile), ALGORITHMS, InsecureSecretKeyAccess.get());
      return new Vault(keys.getPrimitive(ALGORITHMS, Aead.class));
    } catch (GeneralSecurityException e) {
      throw new IOException("the key file " + keyFile + " is damaged: restore it from a backup", e);
    }
  }

  private static void create(Path keyFile) throws IOException, GeneralSecurityException {
    KeysetHandle keys = KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, ALGORITHMS);
    PrivateFile.write(
        keyFile.toAbsolutePath(),
        TinkJsonProtoKeysetFormat.serializeKeyset(keys, ALGORITHMS, InsecureSecretKeyAccess.get()));
  }

  public byte[] seal(byte[] plain, String owner) {
    try {
      return aead.encrypt(plain, owner.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("sealing a secret of " + owner + " failed", e);
    }
  }

  public byte[] open(byte[] sealed, String owner) {
    try {
      return aead.decrypt(sealed, owner.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "a secret of "
              + owner
              + " does not open: secrets.key_file is not the file that it was sealed with",
          e);
    }
  }

  public byte[] sealEnv(EnvVars env, String owner) {
    try {
      return seal(JSON.writeValueAsBytes(env.values()), owner);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("variables of " + owner + " cannot be written as JSON", e);
    }
  }

  public EnvVars openEnv(byte[] sealed, String owner) {
    try {
      return new EnvVars(
          JSON.readValue(open(sealed, owner), new TypeReference<Map<String, String>>() {}));
    } catch (IOException e) {
      throw new IllegalStateException("variables of " + owner + " are damaged", e);
    }
  }
}
