package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.RequestException;
import io.vertx.ext.web.Router;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The operations of the contract for another entrance of this process, which says by itself who
 * calls: with the checks and the answers that a client of the API gets. Thread-safe; blocks.
 */
public final class LocalApi {
  private final Contract contract;
  private final Dispatch dispatch;
  private final ContractRoutes routes;

  LocalApi(Contract contract, Dispatch dispatch, ContractRoutes routes) {
    this.contract = contract;
    this.dispatch = dispatch;
    this.routes = routes;
  }

  /**
   * One page of a list.
   *
   * @param nextCursor absent on the last page
   */
  public record Listed<T>(List<T> records, Optional<String> nextCursor) {
    public Listed {
      records = List.copyOf(records);
    }
  }

  /**
   * Carries out an operation.
   *
   * @param type a record with those fields of the answer that are wanted
   * @throws RequestException as the API would answer
   */
  public <T> T ask(Caller caller, LocalRequest request, Class<T> type) {
    return switch (answer(caller, request)) {
      case Answer.Data data -> Json.as(Json.tree(data.data()), type);
      case Answer.Listed _ ->
          throw new IllegalArgumentException(request.operation() + " answers a list");
      case Answer.Streamed _ ->
          throw new IllegalArgumentException(request.operation() + " answers a stream");
    };
  }

  /** {@link #ask} where nothing of the answer is wanted. */
  public void tell(Caller caller, LocalRequest request) {
    var _ = ask(caller, request, JsonNode.class);
  }

  /** Carries out an operation that answers a list. */
  public <T> Listed<T> list(Caller caller, LocalRequest request, Class<T> type) {
    if (!(answer(caller, request) instanceof Answer.Listed page)) {
      throw new IllegalArgumentException(request.operation() + " answers no list");
    }
    List<T> records = new ArrayList<>();
    Json.tree(page.data()).forEach(node -> records.add(Json.as(node, type)));
    return new Listed<>(records, Optional.ofNullable(page.pagination().nextCursor()));
  }

  /**
   * Has requests answered as the API does, for what is a file or a stream.
   *
   * @param path with the operation's parameters as {@code :name}; a handler before it must say who
   *     the {@link Caller} is
   */
  public void mount(Router router, String path, String operation) {
    routes.operation(router, path, contract.operation(operation), dispatch::answer);
    router.route(path).failureHandler(new Failures(ErrorMapper::body)::fail);
  }

  private Answer answer(Caller caller, LocalRequest request) {
    return dispatch.answer(caller, contract.operation(request.operation()), request);
  }
}
