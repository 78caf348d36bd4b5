package dev.slipway.api;

import dev.slipway.core.DomainId;
import dev.slipway.domain.DomainService;
import java.util.Optional;

/** Whether DNS says that a domain which another project has is the caller's. */
final class DomainClaim {
  private DomainClaim() {}

  /**
   * Asks DNS.
   *
   * @param field of the body, which names the domain
   */
  static Operations.Preparation asked(DomainService domains, String field) {
    return call ->
        call.text(field)
            .flatMap(name -> domains.claimed(call.account(), name))
            .ifPresent(id -> call.learn(DomainId.class, id));
  }

  /** What DNS said; nothing where it was not asked. */
  static Optional<DomainId> of(Call call) {
    return call.learned(DomainId.class);
  }
}
