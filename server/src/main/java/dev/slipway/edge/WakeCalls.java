package dev.slipway.edge;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears the calls of each {@link RemoteWaker}, has this process's waker do it, and answers. */
public final class WakeCalls {
  private static final Logger log = LoggerFactory.getLogger(WakeCalls.class);

  private final Database database;
  private final Waker waker;
  private final Set<DeploymentId> underWay = ConcurrentHashMap.newKeySet();

  public WakeCalls(Database database, Waker waker) {
    this.database = database;
    this.waker = waker;
  }

  public void listen(Notifications notifications) {
    notifications.subscribe(Woken.CALLS, id -> called(new DeploymentId(id)), () -> {});
  }

  private void called(DeploymentId deployment) {
    if (!underWay.add(deployment)) {
      return; // repeated: the answer will come
    }
    var _ =
        waker
            .wake(deployment)
            .whenComplete((target, failure) -> {
              if (isInterrupted(failure)) {
                underWay.remove(deployment); // This server ends: the call is for the next one.
                return;
              }
              Woken woken = Woken.of(deployment, target, failure);
              Thread.startVirtualThread(() -> answer(woken));
            });
  }

  private static boolean isInterrupted(@Nullable Throwable failure) {
    return failure instanceof InterruptedException
        || (failure != null && failure.getCause() instanceof InterruptedException);
  }

  private void answer(Woken woken) {
    underWay.remove(woken.deployment());
    try {
      database.useTransaction(tx -> Notifications.notify(tx, Woken.ANSWERS, woken.text()));
    } catch (TransientException e) {
      log.warn(
          "deployment={} was woken, but nobody could be told: {}",
          woken.deployment(),
          e.toString());
    }
  }
}
