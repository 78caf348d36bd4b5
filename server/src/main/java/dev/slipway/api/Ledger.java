package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.account.Actor;
import dev.slipway.account.Audit;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Who may change something, and that it is written down who did: an entry of the audit log in the
 * transaction of each operation that changes something.
 */
final class Ledger {
  /** An upload changes nothing by itself; what is made of it does. */
  private static final Set<String> UNWRITTEN = Set.of("createUpload");

  private final Database database;
  private final Audit audit;

  Ledger(Database database, Audit audit) {
    this.database = database;
    this.audit = audit;
  }

  /**
   * Before anything is done for it, a dry run too: that asks others.
   *
   * @throws RequestException {@code FORBIDDEN} where the user's role does not allow it
   */
  static void requireAllowed(Contract.Operation operation, Call call) {
    if (call.caller().actor() instanceof Actor.User(var who)
        && (!operation.method().equals("GET") || call.asks("reveal"))) {
      who.role().requireMayChange();
    }
  }

  /** The answer of the operation's handler. */
  Answer carryOut(Contract.Operation operation, Call call, Supplier<Answer> handler) {
    boolean changes = !operation.method().equals("GET") && !call.asks("dry_run");
    return changes && !UNWRITTEN.contains(operation.id())
        ? written(operation, call, handler)
        : handler.get();
  }

  private Answer written(Contract.Operation operation, Call call, Supplier<Answer> handler) {
    return database.inSharedTransaction(tx -> {
      Answer answer = handler.get();
      if (!(answer instanceof Answer.Data(int _, Object data))) {
        throw new IllegalStateException(
            operation.id() + " changes something and answers no record");
      }
      JsonNode record = Json.tree(data);
      audit.write(
          tx,
          call.account(),
          call.caller().actor(),
          operation.id(),
          record.path("id").asText(lastIdentifier(operation, call)),
          record.path("name").asText(""));
      return answer;
    });
  }

  /** Of what the path leads to, such as the project whose variables are changed. */
  private static String lastIdentifier(Contract.Operation operation, Call call) {
    String path = operation.path();
    int end = path.lastIndexOf('}');
    return end < 0 ? "" : call.path(path.substring(path.lastIndexOf('{') + 1, end));
  }
}
