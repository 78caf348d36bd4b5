package dev.slipway.api;

import dev.slipway.core.DomainId;
import dev.slipway.domain.DomainService;
import java.util.Optional;
import java.util.function.Function;

/** Whether DNS says that a domain which another project has is the caller's. */
final class DomainClaim {
  private static final String KEY = "slipway.claimed-domain";

  private DomainClaim() {}

  /**
   * Asks DNS.
   *
   * @param field of the body, which names the domain
   */
  static Operations.Preparation asked(DomainService domains, String field) {
    return call ->
        call.text(field)
            .ifPresent(name -> call.context().put(KEY, domains.claimed(call.account(), name)));
  }

  /** What DNS said; nothing where it was not asked. */
  static Optional<DomainId> of(Call call) {
    return Optional.ofNullable(call.context().<Optional<DomainId>>get(KEY))
        .flatMap(Function.identity());
  }
}
