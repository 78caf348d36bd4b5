package dev.slipway.certificate;

import java.time.Duration;
import java.time.Instant;

/**
 * When a certificate is renewed: with a third of its life left, and a little earlier by a share
 * that differs from domain to domain, so that what was ordered together is not renewed together.
 */
final class Renewal {
  private static final int LEFT = 3;
  private static final int SPREAD = 30;
  private static final int SHARES = 1 << 16;

  private Renewal() {}

  static Instant due(String domainId, CertificateChain chain) {
    Duration life = Duration.between(chain.startsAt(), chain.expiresAt());
    int share = Math.floorMod(domainId.hashCode(), SHARES);
    Duration earlier = life.dividedBy(SPREAD).multipliedBy(share).dividedBy(SHARES);
    return chain.expiresAt().minus(life.dividedBy(LEFT)).minus(earlier);
  }
}
