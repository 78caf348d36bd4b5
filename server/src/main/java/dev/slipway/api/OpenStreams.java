package dev.slipway.api;

import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many event streams each account has open here: the rate limit counts only their beginnings.
 * Thread-safe.
 */
final class OpenStreams {
  static final int MAX_PER_ACCOUNT = 100;

  private final Map<AccountId, Integer> open = new ConcurrentHashMap<>();

  /** One more is open until it is closed. */
  interface Stream extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * @throws RequestException {@code RATE_LIMITED} where the account has too many
   */
  Stream open(AccountId account) {
    open.merge(account, 1, Integer::sum);
    Stream stream =
        () -> open.computeIfPresent(account, (_, count) -> count > 1 ? count - 1 : null);
    if (open.getOrDefault(account, 0) > MAX_PER_ACCOUNT) {
      stream.close();
      throw new RequestException(
          ErrorCode.RATE_LIMITED,
          "The account has %d event streams open; close one first.".formatted(MAX_PER_ACCOUNT));
    }
    return stream;
  }
}
