package dev.slipway.database.postgres;

import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.db.TestPostgres;
import java.nio.file.Path;

/** A program that has a cluster and a database until it is killed: argument 0 is its folder. */
final class ClusterOwner {
  private ClusterOwner() {}

  public static void main(String[] arguments) throws Exception {
    ApplicationsCluster cluster =
        new ApplicationsCluster(TestPostgres.settings(Path.of(arguments[0])));
    cluster.server().create("db_shop", new DatabaseLogin("db_shop_1", new Secret("secret-1")));
    System.out.println("up");
    Thread.currentThread().join();
  }
}
