package dev.slipway.api;

import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import dev.slipway.upload.Incoming;
import dev.slipway.vault.Vault;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A request with an idempotency key is carried out once; sent again, it gets the first answer.
 *
 * <p>What the operation writes and the kept answer are committed in one transaction, before the
 * answer is sent: whenever the server dies, either both are there or none. What fails for now (401,
 * 429, 5xx) is not kept.
 */
final class Idempotency {
  private static final Duration KEPT = Duration.ofHours(24);
  private static final int HASH_BYTES = 32;

  private final Database database;
  private final Vault vault;
  private final Clock clock;
  private final IdempotencyStore store = new IdempotencyStore();

  Idempotency(Database database, Vault vault, Clock clock) {
    this.database = database;
    this.vault = vault;
    this.clock = clock;
  }

  /**
   * The answer to the request, from the operation or from the first time; blocks.
   *
   * @throws RequestException {@code IDEMPOTENCY_IN_PROGRESS}, {@code IDEMPOTENCY_MISMATCH}
   */
  Rendered once(RoutingContext context, AccountId account, Supplier<Rendered> operation) {
    Optional<IdempotencyKey> key = IdempotencyKey.of(context.request());
    if (key.isEmpty()) {
      return operation.get();
    }
    byte[] request =
        hash(account.value(), method(context), context.normalizedPath(), key.get().value());
    byte[] content = contentHash(context);
    return database.inSharedTransaction(tx -> {
      if (!store.claim(tx, request)) {
        throw new RequestException(
            ErrorCode.IDEMPOTENCY_IN_PROGRESS,
            "The first request with this Idempotency-Key is still being worked on; try again soon.");
      }
      Instant now = clock.instant();
      Optional<byte[]> kept = store.find(tx, request, now.minus(KEPT));
      if (kept.isPresent()) {
        Rendered first = open(kept.get(), request, content);
        context.response().putHeader("Idempotency-Replayed", "true");
        return first;
      }
      Rendered answer = answer(operation);
      store.keep(tx, request, seal(answer, request, content), now);
      return answer;
    });
  }

  /** Deletes answers that are not kept any longer. */
  void forgetOld() {
    database.useTransaction(tx -> store.forget(tx, clock.instant().minus(KEPT)));
  }

  private static Rendered answer(Supplier<Rendered> operation) {
    try {
      return operation.get();
    } catch (RequestException e) {
      if (isPassing(e.code())) {
        throw e;
      }
      return Rendered.of(e);
    }
  }

  private static boolean isPassing(ErrorCode code) {
    return code.httpStatus() >= 500
        || code == ErrorCode.UNAUTHORIZED
        || code == ErrorCode.RATE_LIMITED;
  }

  private byte[] seal(Rendered answer, byte[] request, byte[] content) {
    byte[] bytes = answer.toBytes();
    byte[] plain = ByteBuffer.allocate(HASH_BYTES + bytes.length).put(content).put(bytes).array();
    return vault.seal(plain, owner(request));
  }

  private Rendered open(byte[] sealed, byte[] request, byte[] content) {
    ByteBuffer plain = ByteBuffer.wrap(vault.open(sealed, owner(request)));
    byte[] first = new byte[HASH_BYTES];
    plain.get(first);
    if (!MessageDigest.isEqual(first, content)) {
      throw new RequestException(
          ErrorCode.IDEMPOTENCY_MISMATCH,
          "This Idempotency-Key was used for another request; take a new key for a new request.");
    }
    return Rendered.read(plain);
  }

  private static String owner(byte[] request) {
    return "answer to " + HexFormat.of().formatHex(request);
  }

  private static String method(RoutingContext context) {
    return context.request().method().name();
  }

  private static byte[] contentHash(RoutingContext context) {
    HttpServerRequest request = context.request();
    MessageDigest digest = sha256();
    digest.update(hash(String.valueOf(request.query())));
    digest.update(content(context));
    return digest.digest();
  }

  /** The body; of a file, which is not in memory, the digest that was made on its way in. */
  private static byte[] content(RoutingContext context) {
    Optional<Incoming> file = FileBody.find(context);
    if (file.isPresent()) {
      return hash(file.get().sha256());
    }
    Buffer body = context.body().buffer();
    return body == null ? new byte[0] : body.getBytes();
  }

  private static byte[] hash(String... parts) {
    MessageDigest digest = sha256();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      digest.update(bytes);
    }
    return digest.digest();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
