package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Cursors of lists: the id of the last record, sealed together with the filters that it was made
 * for. Opaque to the client, and of no use when altered or given with other filters.
 */
final class Cursors {
  private final Vault vault;

  Cursors(Vault vault) {
    this.vault = vault;
  }

  String encode(String lastId, String filters) {
    byte[] sealed = vault.seal(lastId.getBytes(StandardCharsets.UTF_8), "cursor " + filters);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
  }

  /**
   * @throws RequestException {@code INVALID_CURSOR}
   */
  String decode(String cursor, String filters) {
    try {
      byte[] sealed = Base64.getUrlDecoder().decode(cursor);
      return new String(vault.open(sealed, "cursor " + filters), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new RequestException(
          ErrorCode.INVALID_CURSOR,
          "cursor: is not one that was answered for these filters; begin again without it.");
    }
  }
}
