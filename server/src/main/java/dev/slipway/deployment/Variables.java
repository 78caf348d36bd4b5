package dev.slipway.deployment;

import dev.slipway.build.ManagedVariables;
import dev.slipway.core.AppFailure;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.InstanceId;
import dev.slipway.database.DatabasePlace;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.instance.Instances;
import dev.slipway.runlog.Masker;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;

/**
 * The variables of deployments: their own, which are in their rows, and those of their databases,
 * which are asked for each time and written nowhere. Thread-safe.
 */
final class Variables {
  private final DeploymentStore deployments;
  private final DatabaseService databases;
  private final Instances instances;

  /**
   * What was given out since this server started: after a rotation something still runs with it.
   */
  private final Map<DatabaseId, Set<String>> givenOut = new ConcurrentHashMap<>();

  Variables(DeploymentStore deployments, DatabaseService databases, Instances instances) {
    this.deployments = deployments;
    this.databases = databases;
    this.instances = instances;
  }

  /**
   * What a deployment gets now.
   *
   * @throws AppFailure {@code DATABASE_UNREACHABLE} where its database is gone
   */
  Given give(Handle tx, Deployment deployment) {
    EnvVars own = deployments.env(tx, deployment.id());
    Optional<DatabaseId> database = deployment.database();
    if (database.isEmpty()) {
      return new Given(own, ManagedVariables.NONE);
    }
    DatabaseId id = database.get();
    // First: what changes between this and the values makes them count as those of before.
    String version = databases.version(tx, id);
    Optional<DatabasePlace> door = databases.doorTo(tx, id);
    Given given =
        new Given(
            own,
            new ManagedVariables(
                databases.variables(tx, id),
                version,
                door.map(it -> InetSocketAddress.createUnresolved(it.host(), it.port())).stream()
                    .toList()));
    givenOut.computeIfAbsent(id, _ -> ConcurrentHashMap.newKeySet()).addAll(given.managedSecrets());
    return given;
  }

  /** Whether the database of a deployment is to be waited for before {@link #give}. */
  boolean areComing(Handle tx, DeploymentId id) {
    return deployments
        .find(tx, id)
        .flatMap(Deployment::database)
        .filter(it -> databases.isComing(tx, it))
        .isPresent();
  }

  /** Stands for what {@link #give} gives of the database: another one after each change. */
  String version(Handle tx, Deployment deployment) {
    return deployment.database().map(id -> databases.version(tx, id)).orElse("");
  }

  /** {@link #version}, which stays the same until the transaction ends. */
  String holdVersion(Handle tx, Deployment deployment) {
    return deployment.database().map(id -> databases.holdVersion(tx, id)).orElse("");
  }

  /**
   * Whether an instance runs with what it would get now. Asked under the project's lock: whoever
   * renews what runs after a change takes that lock after the change.
   */
  boolean areCurrent(Handle tx, Deployment deployment, InstanceId instance) {
    String version = version(tx, deployment);
    return instances.variables(tx, instance).map(version::equals).orElse(true);
  }

  /** Hides all that the deployment's programs were given here. */
  Masker masker(Handle tx, DeploymentId id) {
    Deployment deployment = deployments.find(tx, id).orElseThrow();
    Set<String> secrets = new HashSet<>();
    try {
      secrets.addAll(give(tx, deployment).secrets());
    } catch (AppFailure databaseIsGone) {
      secrets.addAll(deployments.env(tx, id).values().values());
    }
    deployment.database().map(it -> givenOut.getOrDefault(it, Set.of())).ifPresent(secrets::addAll);
    return new Masker(secrets);
  }
}
