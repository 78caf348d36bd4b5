package dev.slipway.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * What is known of a domain's DNS.
 *
 * @param problem what is wrong, as a sentence; an active domain may have one too
 * @param wrongSince since when DNS says something else; what it does not say is not counted
 */
public record DomainState(Status status, Optional<String> problem, Optional<Instant> wrongSince) {
  /** How long DNS may say something else before the domain counts as failed. */
  static final Duration GRACE = Duration.ofDays(3);

  /** Whether visitors reach the project by the name. */
  public enum Status {
    /** Its DNS has not been seen to point here. */
    PENDING,
    /** Served. */
    ACTIVE,
    /** Its DNS did not point here for days; looked at less often. */
    FAILED;

    /** As the API writes it. */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Of a domain that was just added. */
  static DomainState added(Instant now) {
    return new DomainState(
        Status.PENDING, Optional.of("DNS has not been looked at yet."), Optional.of(now));
  }

  /** After a look at DNS. */
  DomainState after(Finding finding, Instant now) {
    return switch (finding) {
      case Finding.Here() -> new DomainState(Status.ACTIVE, Optional.empty(), Optional.empty());
      case Finding.Unknown(String why) -> new DomainState(status, Optional.of(why), wrongSince);
      case Finding.Elsewhere(String why) -> {
        Instant since = wrongSince.orElse(now);
        boolean tooLong = !now.isBefore(since.plus(GRACE));
        yield new DomainState(
            tooLong ? Status.FAILED : status, Optional.of(why), Optional.of(since));
      }
    };
  }

  public boolean isServed() {
    return switch (status) {
      case ACTIVE -> true;
      case PENDING, FAILED -> false;
    };
  }
}
