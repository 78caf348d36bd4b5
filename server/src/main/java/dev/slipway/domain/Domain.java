package dev.slipway.domain;

import dev.slipway.core.DomainId;
import java.time.Instant;

/** A host name of the user's own that leads, or shall lead, to a project. */
public record Domain(
    DomainId id, Holder holder, DomainName name, DomainState state, Instant createdAt) {

  /** What a TXT record at {@link DomainName#challenge} says where the name is this account's. */
  public String token() {
    return holder.token(name);
  }
}
