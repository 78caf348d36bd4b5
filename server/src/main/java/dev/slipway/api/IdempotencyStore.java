package dev.slipway.api;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Kept answers to requests with an idempotency key. Every call runs in the caller's transaction.
 */
final class IdempotencyStore {
  private static final String CLAIM = "SELECT pg_try_advisory_xact_lock(?)";

  private static final String FIND =
      "SELECT answer FROM kept_answer WHERE request = ? AND created_at > ?";

  // One that is there is too old to be found.
  private static final String KEEP =
      """
      INSERT INTO kept_answer (request, answer, created_at) VALUES (?, ?, ?)
      ON CONFLICT (request) DO UPDATE
         SET answer = excluded.answer, created_at = excluded.created_at
      """;

  private static final String FORGET = "DELETE FROM kept_answer WHERE created_at <= ?";

  /** Whether no other transaction has it; until the end of this one. */
  boolean claim(Handle tx, byte[] request) {
    return tx.createQuery(CLAIM)
        .bind(0, ByteBuffer.wrap(request).getLong())
        .mapTo(Boolean.class)
        .one();
  }

  Optional<byte[]> find(Handle tx, byte[] request, Instant after) {
    return tx.createQuery(FIND).bind(0, request).bind(1, after).mapTo(byte[].class).findOne();
  }

  void keep(Handle tx, byte[] request, byte[] answer, Instant now) {
    tx.execute(KEEP, request, answer, now);
  }

  int forget(Handle tx, Instant upTo) {
    return tx.execute(FORGET, upTo);
  }
}
