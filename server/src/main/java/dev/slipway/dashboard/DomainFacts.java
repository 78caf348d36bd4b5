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

  /** What is served with a certificate while DNS leads here changes no more by itself. */
  public boolean isSettled() {
    return isActive() && problem.isEmpty() && certificate.isPresent();
  }

  /** How often it is worth asking again: of one that failed, DNS is looked at less often too. */
  public String every() {
    return status.equals("failed") ? "every 60s" : "every 20s";
  }

  /** What DNS was last seen to say: an active domain may have lost its records since. */
  public Badge dns() {
    if (problem.isPresent()) {
      return new Badge("warn", isActive() ? "DNS has a problem" : "DNS not set");
    }
    return isActive()
        ? new Badge("ok", "DNS points here")
        : new Badge("wait", "DNS is looked at again");
  }

  /** Whether visitors are answered, with what is wrong about that. */
  public Badge state() {
    return isActive() && problem.isPresent() ? new Badge("warn", "Active") : Badge.of(status);
  }
}
