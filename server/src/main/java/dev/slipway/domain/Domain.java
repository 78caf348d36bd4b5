package dev.slipway.domain;

import dev.slipway.core.DomainId;
import dev.slipway.core.ProjectId;
import java.time.Instant;
import java.util.Locale;

/**
 * A host name of the user's own that shall lead to a project.
 *
 * @param token stands in a TXT record of the name: who can set it has a say in the name
 */
public record Domain(
    DomainId id,
    ProjectId projectId,
    DomainName name,
    Status status,
    String token,
    Instant createdAt) {
  /** Whether visitors reach the project by the name. */
  public enum Status {
    /** Its DNS has not been seen to point here. */
    PENDING;

    /** As the API writes it. */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
