package dev.slipway.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A domain as the API tells of it.
 *
 * @param problem a sentence
 * @param verification the DNS records to set
 */
public record DomainFacts(
    String id,
    String name,
    String status,
    Optional<String> problem,
    List<DnsRecord> verification,
    Optional<Certificate> certificate,
    Instant createdAt) {

  /** One to set where the domain's DNS is kept. */
  public record DnsRecord(String type, String name, String value) {}

  /**
   * What it is served with.
   *
   * @param origin {@code uploaded} or {@code ordered}
   */
  public record Certificate(String origin, String issuer, Instant expiresAt) {
    public boolean isUploaded() {
      return origin.equals("uploaded");
    }
  }

  public boolean isActive() {
    return status.equals("active");
  }

  /** Whether DNS has still to be seen to lead here, so that it may change at any moment. */
  public boolean isPending() {
    return status.equals("pending");
  }

  /** What DNS was last seen to say. */
  public Badge dns() {
    return isActive() ? new Badge("ok", "DNS points here") : new Badge("warn", "DNS not set");
  }
}
