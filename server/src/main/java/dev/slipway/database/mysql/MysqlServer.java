package dev.slipway.database.mysql;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.core.TransientException;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseServer;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The MySQL or MariaDB that the operator names.
 *
 * <p>Views, triggers, routines and events run with the rights of whoever made them. So a login that
 * is revoked is locked, and dropped with its database alone. A session waits for others of ours
 * that work on the same database, for 20 seconds; then a {@link TransientException} is thrown.
 */
final class MysqlServer implements DatabaseServer {
  /** A database that is dropped may have many files. */
  private static final Duration WORKS = Duration.ofMinutes(5);

  private static final Duration TELLS = Duration.ofSeconds(5);
  private static final int LOCK_SECONDS = 20;

  /** A few applications cannot take all of the server's, which are 151 where nothing is set. */
  private static final int CONNECTIONS_EACH = 40;

  private static final int PASSWORD_BITS = 190;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final DatabaseLink administrator;

  /**
   * @param administrator with the rights that README.md names; its place has no database
   */
  MysqlServer(DatabaseLink administrator) {
    this.administrator = administrator;
  }

  @Override
  public String id() {
    return "mysql:%s:%d".formatted(administrator.place().host(), administrator.place().port());
  }

  @Override
  public DatabasePlace place(String name) {
    DatabasePlace own = administrator.place();
    return new DatabasePlace(own.type(), own.host(), own.port(), name, own.parameters());
  }

  /** The administrator's way to that database; empty where it is on another server. */
  Optional<DatabaseLink> administrator(DatabasePlace place) {
    return place(place.name()).equals(place)
        ? Optional.of(new DatabaseLink(place, administrator.login()))
        : Optional.empty();
  }

  @Override
  public void create(String name, DatabaseLogin login) {
    alone(
        name,
        admin -> {
          admin.createDatabase(name);
          admin.putLogin(name, login, CONNECTIONS_EACH);
        });
  }

  @Override
  public void addLogin(String name, DatabaseLogin login) {
    alone(
        name,
        admin -> {
          if (!admin.hasDatabase(name)) {
            throw new AppFailure(
                FailureCode.DATABASE_FAILED, "there is no database %s".formatted(name));
          }
          admin.putLogin(name, login, CONNECTIONS_EACH);
        });
  }

  @Override
  public void dropLogin(String name, String user) {
    alone(
        name,
        admin -> {
          if (admin.hasLogin(user)) {
            close(admin, name, user);
          }
        });
  }

  @Override
  public void drop(String name) {
    alone(
        name,
        admin -> {
          List<String> logins = admin.logins(name);
          logins.forEach(login -> close(admin, name, login));
          // Before its logins: MySQL drops none that something is defined by.
          admin.dropDatabase(name);
          logins.forEach(admin::dropLogin);
        });
  }

  @Override
  public DatabaseFacts facts(String name) {
    try (MysqlSessionStore session = MysqlSessionStore.open(administrator, TELLS)) {
      return new MysqlAdminStore(session).facts(name);
    }
  }

  private static void close(MysqlAdminStore admin, String name, String user) {
    admin.closeLogin(user, new Secret(new BigInteger(PASSWORD_BITS, RANDOM).toString(36)));
    LoginSessions sessions = new LoginSessions(admin, name, user);
    sessions.end();
    sessions.end(); // of who was just logging in
  }

  private void alone(String name, Consumer<MysqlAdminStore> work) {
    try (MysqlSessionStore session = MysqlSessionStore.open(administrator, WORKS)) {
      MysqlAdminStore admin = new MysqlAdminStore(session);
      if (!admin.lock(lockName(name), LOCK_SECONDS)) {
        throw new TransientException("another session still works on the database " + name);
      }
      work.accept(admin);
    }
  }

  /** Locks need no rights on the server: one that a tenant knows he could hold for ever. */
  private String lockName(String name) {
    try {
      byte[] key = ("slipway " + administrator.login().password().reveal()).getBytes(UTF_8);
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, mac.getAlgorithm()));
      return HexFormat.of().formatHex(mac.doFinal(name.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
