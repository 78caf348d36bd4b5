package dev.slipway.api;

import dev.slipway.core.RequestException;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Carries out requests: checked first, and those with an idempotency key once. */
final class Dispatch {
  private final Requests requests;
  private final Idempotency idempotency;
  private final Ledger ledger;
  private final Map<String, Operations.Handler> handlers = new LinkedHashMap<>();
  private final Map<String, Operations.Check> checks = new LinkedHashMap<>();
  private final Map<String, Operations.Preparation> preparations = new LinkedHashMap<>();

  /**
   * @param resources together they handle each operation of the contract
   */
  Dispatch(Contract contract, Idempotency idempotency, Ledger ledger, List<Operations> resources) {
    this.requests = new Requests(contract);
    this.idempotency = idempotency;
    this.ledger = ledger;
    for (Operations resource : resources) {
      handlers.putAll(resource.handlers());
      checks.putAll(resource.checks());
      preparations.putAll(resource.preparations());
    }
    contract.requireHandled(handlers.keySet());
  }

  /** The answer; nothing where the handler has written it itself. Blocks. */
  Optional<Rendered> answer(RoutingContext context, Contract.Operation operation) {
    // A dry run takes its time, for which a kept answer would hold a connection of the store.
    return operation.method().equals("POST") && !isDryRun(context)
        ? Optional.of(once(context, operation))
        : carryOut(context, operation);
  }

  /** Whether the request asks what would be done, and wants nothing done. */
  static boolean isDryRun(RoutingContext context) {
    return context.queryParam("dry_run").equals(List.of("true"));
  }

  private Rendered once(RoutingContext context, Contract.Operation operation) {
    prepare(context, operation);
    return idempotency.once(
        context,
        Caller.require(context).account().id(),
        () ->
            carryOut(context, operation)
                .orElseThrow(() -> new IllegalStateException("a streamed answer cannot be kept")));
  }

  private void prepare(RoutingContext context, Contract.Operation operation) {
    Operations.Preparation preparation = preparations.get(operation.id());
    if (preparation == null) {
      return;
    }
    Call call;
    try {
      call = call(context, operation);
    } catch (RequestException faulty) {
      return; // It is told when the request is carried out, once for each idempotency key.
    }
    preparation.prepare(call);
  }

  private Call call(RoutingContext context, Contract.Operation operation) {
    Call call = requests.call(context, operation, check(operation));
    Ledger.requireAllowed(operation, call);
    return call;
  }

  private Operations.Check check(Contract.Operation operation) {
    return checks.getOrDefault(operation.id(), (call, faults) -> {});
  }

  /** The answer to a request that was made within this process. Blocks. */
  Answer answer(Caller caller, Contract.Operation operation, LocalRequest request) {
    Call call = requests.call(caller, operation, request, check(operation));
    Ledger.requireAllowed(operation, call);
    Optional.ofNullable(preparations.get(operation.id())).ifPresent(it -> it.prepare(call));
    return handle(operation, call);
  }

  private Optional<Rendered> carryOut(RoutingContext context, Contract.Operation operation) {
    return switch (handle(operation, call(context, operation))) {
      case Answer.Data data -> Optional.of(Rendered.of(data));
      case Answer.Listed page -> Optional.of(Rendered.of(page));
      case Answer.Streamed() -> Optional.empty();
    };
  }

  private Answer handle(Contract.Operation operation, Call call) {
    return ledger.carryOut(operation, call, () -> handler(operation, call));
  }

  private Answer handler(Contract.Operation operation, Call call) {
    try {
      return Objects.requireNonNull(handlers.get(operation.id())).handle(call);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(operation.id() + " failed", e);
    }
  }
}
