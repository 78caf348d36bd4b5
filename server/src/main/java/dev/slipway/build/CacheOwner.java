package dev.slipway.build;

import dev.slipway.core.AccountId;

/**
 * Whose builds share what they download and install, and run as one user. Nobody else's decide what
 * these run, nor read what these were let have.
 *
 * @param folder names it, on disk too
 */
public record CacheOwner(String folder) {
  public static CacheOwner of(AccountId account) {
    return new CacheOwner(account.value());
  }

  /**
   * For what others wrote and the account has built, such as pull requests from forks: they share
   * with each other alone.
   */
  public static CacheOwner ofStrangers(AccountId account) {
    return new CacheOwner(account.value() + "-strangers");
  }
}
