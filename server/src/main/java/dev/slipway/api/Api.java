package dev.slipway.api;

import dev.slipway.account.Accounts;
import dev.slipway.db.Database;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.edge.Addresses;
import dev.slipway.migration.MigrationService;
import dev.slipway.runlog.RunLogs;
import dev.slipway.vault.Vault;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** The parts of this package, put together. */
public final class Api {
  private Api() {}

  /**
   * What the API needs of the other packages.
   *
   * @param maxJsonBytes of a request's body
   */
  public record Parts(
      Vertx vertx,
      Database database,
      Vault vault,
      Accounts accounts,
      MigrationService migrations,
      DeploymentService deployments,
      RunLogs logs,
      Addresses addresses,
      MigrationOperations.Choices choices,
      long maxJsonBytes) {}

  /** What takes the requests for the API's host name. */
  public static Handler<HttpServerRequest> handler(Parts parts) {
    Paging paging = new Paging(new Cursors(parts.vault()));
    LogAnswers logs = new LogAnswers(parts.logs());
    List<Operations> resources =
        List.of(
            new MigrationOperations(
                parts.migrations(), parts.choices(), logs, paging, parts.addresses()),
            new DeploymentOperations(parts.deployments(), logs, paging, parts.addresses()));
    return new ApiServer(
            parts.vertx(), new Authentication(parts.accounts()), parts.maxJsonBytes(), resources)
        .handler(Contract.load("/openapi/slipway.yaml"), new Readiness(parts.database()));
  }
}
