package dev.slipway.db;

import dev.slipway.core.TransientException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells subscribers what other sessions, on this machine or another, notified with {@link #notify}.
 *
 * <p>It has a connection of its own and makes a new one when that is lost. What is notified in
 * between is lost as well: therefore each subscriber's {@code onReconnect} is called after every
 * connect, the first included, when its channel is already listened to; it reads its tables again.
 *
 * <p>Threads: callbacks are called one at a time on one thread, and others wait for them: they
 * should be short. What they throw is logged; with a {@link TransientException} a connection is
 * made anew, and they are called again.
 */
public final class Notifications implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);

  /** What PostgreSQL takes unquoted, so that nobody has to remember whether a name was folded. */
  private static final Pattern CHANNEL = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  /** How long a new subscription may wait for its LISTEN; notifications themselves wake at once. */
  private static final int LOOK_UP_MILLIS = 100;

  /** A host that vanished without a word is noticed by asking it. */
  private static final Duration PROBE_EVERY = Duration.ofSeconds(5);

  private static final int PROBE_TIMEOUT_SECONDS = 2;
  private static final Duration FIRST_DELAY = Duration.ofMillis(50);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  private final Supplier<StoreAddress> store;
  private final Runnable onAway;
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  // Of the thread alone.
  private Duration delay = Duration.ZERO;
  private boolean told;

  private Notifications(Supplier<StoreAddress> store, Runnable onAway) {
    this.store = store;
    this.onAway = onAway;
    this.thread = Thread.ofPlatform().daemon().name("store-notifications").unstarted(this::run);
  }

  /** Connects in the background; a store that is down is not an error. */
  public static Notifications open(StoreAddress address) {
    return open(() -> address, () -> {});
  }

  /**
   * The same with a store that may be down for long, and come back elsewhere.
   *
   * @param store asked before each connect; may throw {@link TransientException}
   * @param onAway called, on the thread of the subscribers, after each connect that failed and
   *     whenever a connection is lost
   */
  public static Notifications open(Supplier<StoreAddress> store, Runnable onAway) {
    Notifications notifications = new Notifications(store, onAway);
    notifications.thread.start();
    return notifications;
  }

  /**
   * To be sent to the listeners when the handle's transaction commits, never when it rolls back.
   */
  public static void notify(Handle handle, String channel, String payload) {
    handle
        .createQuery("SELECT pg_notify(:channel, :payload)")
        .bind("channel", channel)
        .bind("payload", payload)
        .mapTo(String.class)
        .list();
  }

  /**
   * Subscribes from soon on: {@code onReconnect} is the word that it has begun.
   *
   * @param channel lower case letters, digits and underscores
   * @param payload is given what the notification carries, at most 8,000 bytes
   */
  public void subscribe(String channel, Consumer<String> payload, Runnable onReconnect) {
    if (!CHANNEL.matcher(channel).matches()) {
      throw new IllegalArgumentException("not a channel name: " + channel);
    }
    subscriptions.add(new Subscription(channel, payload, onReconnect));
  }

  /** No callback is running when this returns, unless it is called from one. */
  @Override
  public void close() {
    closed.countDown();
    if (Thread.currentThread().equals(thread)) {
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Subscription(String channel, Consumer<String> payload, Runnable onReconnect) {}

  private void run() {
    while (!isClosedWithin(delay)) {
      try (Connection connection = connect()) {
        listen(connection);
      } catch (SQLException | TransientException e) {
        delay = longer(delay);
        away(e);
      }
    }
  }

  /** A store may be away for hours: said once. */
  private void away(Exception cause) {
    if (!told) {
      told = true;
      LOG.warn("no notifications from the store, tried until there are: {}", cause.getMessage());
    }
    onAway.run();
  }

  private void connected() {
    delay = Duration.ZERO;
    if (told) {
      told = false;
      LOG.info("notifications from the store again");
    }
  }

  private static Duration longer(Duration delay) {
    Duration next = delay.isZero() ? FIRST_DELAY : delay.multipliedBy(2);
    return next.compareTo(LONGEST_DELAY) < 0 ? next : LONGEST_DELAY;
  }

  private void listen(Connection connection) throws SQLException {
    PGConnection postgres = connection.unwrap(PGConnection.class);
    Set<Subscription> known = new HashSet<>();
    long lastProbe = System.nanoTime();
    while (closed.getCount() > 0) {
      welcome(connection, known);
      connected();
      for (PGNotification notification : received(postgres)) {
        deliver(notification, known);
      }
      if (System.nanoTime() - lastProbe > PROBE_EVERY.toNanos()) {
        if (!connection.isValid(PROBE_TIMEOUT_SECONDS)) {
          throw new SQLException("the connection is dead");
        }
        lastProbe = System.nanoTime();
      }
    }
  }

  private void welcome(Connection connection, Set<Subscription> known) throws SQLException {
    for (Subscription subscription : subscriptions) {
      if (known.add(subscription)) {
        try (Statement statement = connection.createStatement()) {
          // LISTEN takes no parameters; the name was checked against its grammar.
          statement.execute("LISTEN " + subscription.channel());
        }
        call(subscription, subscription.onReconnect());
      }
    }
  }

  private static PGNotification[] received(PGConnection postgres) throws SQLException {
    PGNotification[] notifications = postgres.getNotifications(LOOK_UP_MILLIS);
    return notifications == null ? new PGNotification[0] : notifications;
  }

  private void deliver(PGNotification notification, Set<Subscription> known) {
    for (Subscription subscription : known) {
      if (subscription.channel().equals(notification.getName())) {
        call(subscription, () -> subscription.payload().accept(notification.getParameter()));
      }
    }
  }

  private static void call(Subscription subscription, Runnable callback) {
    try {
      callback.run();
    } catch (TransientException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("a subscriber failed: channel={}", subscription.channel(), e);
    }
  }

  private Connection connect() throws SQLException {
    StoreAddress address = store.get();
    return DriverManager.getConnection(
        address.jdbcUrl(), address.limitedProperties("slipway-notifications"));
  }

  private boolean isClosedWithin(Duration delay) {
    try {
      return closed.await(delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true; // nobody interrupts this thread but to end it
    }
  }
}
