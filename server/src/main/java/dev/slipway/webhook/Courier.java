package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.vault.Vault;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends deliveries when they are due. One thread has {@link Dispatch} decide; each attempt has a
 * virtual thread of its own, which tells that thread what came of it.
 *
 * <p>What is taken is this worker's for a while. After a crash it takes it back at once; another
 * takes it when that while is over. Then it is sent once more, with the same id.
 */
public final class Courier implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Courier.class);
  private static final String CHANNEL = "slipway_webhooks";
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

  /** What is being sent when the server ends has so long; it is sent again after the next start. */
  private static final Duration FAREWELL = Duration.ofSeconds(3);

  private final Dispatch dispatch;
  private final Sender sender;
  private final BlockingQueue<Consumer<Dispatch>> mailbox = new LinkedBlockingQueue<>();
  private final Thread thread = Thread.ofPlatform().daemon().name("courier").unstarted(this::run);
  private volatile boolean ending;
  private boolean failing;

  /**
   * @param worker the same for each start of the server on one data directory, and no other's
   * @param allowPrivateTargets whether endpoints may be in the networks of this server
   */
  public Courier(
      Database database,
      Vault vault,
      Vertx vertx,
      String worker,
      boolean allowPrivateTargets,
      Clock clock) {
    this(
        new Dispatch(database, vault, worker, clock),
        new Sender(vertx, allowPrivateTargets, clock));
  }

  /**
   * @param sender is closed with it
   */
  Courier(Dispatch dispatch, Sender sender) {
    this.dispatch = dispatch;
    this.sender = sender;
  }

  /** Has whoever sends look for deliveries of the account, after the transaction's commit. */
  static void tell(Handle tx, AccountId account) {
    Notifications.notify(tx, CHANNEL, account.value());
  }

  /** Takes back what it was sending when it was killed, and begins. */
  public Courier start(Notifications notifications) {
    dispatch.takeBack();
    notifications.subscribe(
        CHANNEL, account -> mailbox.add(it -> it.look(new AccountId(account))), this::look);
    thread.start();
    return this;
  }

  /** Looks for what is due now. */
  void look() {
    mailbox.add(Dispatch::look);
  }

  private void run() {
    try {
      while (!ending) {
        round(() -> listen(dispatch.pause()), true);
      }
      long endNanos = System.nanoTime() + FAREWELL.toNanos();
      while (!dispatch.isIdle() && System.nanoTime() < endNanos) {
        round(() -> listen(Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()))), false);
      }
    } catch (InterruptedException e) {
      log.warn("what webhooks are being sent is not waited for");
    }
  }

  /** Returns when something was told, or the pause is over. */
  private void listen(Duration pause) throws InterruptedException {
    Consumer<Dispatch> first = mailbox.poll(pause.toMillis(), TimeUnit.MILLISECONDS);
    List<Consumer<Dispatch>> news = new ArrayList<>();
    if (first != null) {
      news.add(first);
      mailbox.drainTo(news);
    }
    news.forEach(it -> it.accept(dispatch));
  }

  private interface Listening {
    void listen() throws InterruptedException;
  }

  /** Whatever is thrown in it, the thread goes on. */
  private void round(Listening news, boolean more) throws InterruptedException {
    try {
      news.listen();
      for (Sending sending : dispatch.work(more)) {
        Thread.ofVirtual().name("webhook ").start(() -> send(sending));
      }
      failing = false;
    } catch (TransientException e) {
      if (!failing) {
        log.warn("webhooks are sent later: {}", e.getMessage());
      }
      failing = true;
      Thread.sleep(PAUSE_AFTER_FAILURE);
    } catch (RuntimeException e) {
      log.error("what came of webhooks cannot be written, they are sent again", e);
      dispatch.forgetEnded();
      Thread.sleep(PAUSE_AFTER_FAILURE);
    }
  }

  private void send(Sending sending) {
    try {
      Attempt attempt = sender.send(sending);
      mailbox.add(it -> it.over(sending, attempt));
    } catch (Crowded e) {
      mailbox.add(it -> it.postponed(sending));
    } catch (InterruptedException e) {
      mailbox.add(it -> it.lost(sending));
    }
  }

  /** What is being sent has a moment to end. */
  @Override
  public void close() {
    ending = true;
    look();
    try {
      thread.join(FAREWELL.plus(PAUSE_AFTER_FAILURE));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sender.close();
  }
}
