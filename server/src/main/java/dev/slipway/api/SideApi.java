package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.RequestException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Another API of the service: it has a contract, a base path and an error shape of its own, and the
 * keys, limits and checks of the main one.
 *
 * @param base where it is, for example {@code /sandbox}
 * @param contract a resource on the class path
 * @param errors an error as its JSON value
 * @param operations by the contract's {@code operationId}
 */
public record SideApi(
    String base,
    String contract,
    Function<RequestException, Object> errors,
    Map<String, Operation> operations) {
  /**
   * What is done with a request. All operations take a body.
   *
   * @param faults of a body that a schema cannot tell, by field; it may break the schema, too
   * @param answer to a body without any fault
   */
  public record Operation(
      Function<JsonNode, Map<String, String>> faults, UnaryOperator<JsonNode> answer) {}

  public SideApi {
    operations = Map.copyOf(operations);
  }

  /** Whether a request is for this API, by its path as it was sent. */
  public boolean takes(HttpServerRequest request) {
    String path = String.valueOf(request.path());
    return path.equals(base) || path.startsWith(base + "/");
  }

  /** What takes those requests. */
  public Handler<HttpServerRequest> handler(Api.Parts parts) {
    OffLoop offLoop = new OffLoop(parts.vertx());
    Contract rules = Contract.load(contract);
    rules.requireHandled(operations.keySet());
    Requests requests = new Requests(rules);
    List<StaticDocument> documents =
        new ServedContract(contract, parts.addresses().publicUrl()).documents(base);
    return Api.routes(parts, offLoop)
        .handler(
            base,
            rules,
            router -> documents.forEach(document -> document.mount(router, offLoop)),
            (context, operation) -> Optional.of(carryOut(context, operation, requests)),
            new Failures(failure -> Json.write(errors.apply(failure))));
  }

  private Rendered carryOut(
      RoutingContext context, Contract.Operation operation, Requests requests) {
    Operation work = Objects.requireNonNull(operations.get(operation.id()));
    Call call = requests.call(context, operation, (it, faults) -> check(work, it, faults));
    JsonNode answer = work.answer().apply(call.body().orElseThrow());
    return new Rendered(200, Buffer.buffer(Json.write(answer)));
  }

  private static void check(Operation operation, Call call, Faults faults) {
    call.body().ifPresent(body -> operation.faults().apply(body).forEach(faults::add));
  }
}
