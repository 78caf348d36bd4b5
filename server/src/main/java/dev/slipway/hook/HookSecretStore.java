package dev.slipway.hook;

import dev.slipway.core.ProjectId;
import dev.slipway.core.Secret;
import dev.slipway.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The secrets of projects, sealed. Every call runs in the caller's transaction. */
final class HookSecretStore {
  private static final String SECRET =
      "SELECT hook_secret FROM project WHERE id = ? AND hook_secret IS NOT NULL";

  private static final String SET = "UPDATE project SET hook_secret = ? WHERE id = ?";

  private final Vault vault;

  HookSecretStore(Vault vault) {
    this.vault = vault;
  }

  /** Empty where none was made. */
  Optional<HookSecret> find(Handle tx, ProjectId project) {
    return tx.createQuery(SECRET)
        .bind(0, project.value())
        .mapTo(byte[].class)
        .findOne()
        .map(sealed -> vault.open(sealed, project.value()))
        .map(plain -> new HookSecret(new Secret(new String(plain, StandardCharsets.UTF_8))));
  }

  void set(Handle tx, ProjectId project, HookSecret secret) {
    byte[] plain = secret.text().reveal().getBytes(StandardCharsets.UTF_8);
    tx.execute(SET, vault.seal(plain, project.value()), project.value());
  }
}
