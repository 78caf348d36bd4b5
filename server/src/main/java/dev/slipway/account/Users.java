package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.core.UserId;
import dev.slipway.db.Database;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * The users of an account: owners change and remove them, each changes his own name and password.
 * An account always has an owner. Thread-safe.
 */
public final class Users {
  private final Database database;
  private final UserStore store = new UserStore();
  private final SessionStore sessions = new SessionStore();
  private final InvitationStore invitations = new InvitationStore();
  private final KnownBrowsers browsers = new KnownBrowsers();
  private final AuditStore audit = new AuditStore();
  private final Owners owners = new Owners();
  private final PasswordGate gate;
  private final PasswordCheck passwords;
  private final Clock clock;

  public Users(Database database, PasswordGate gate, Clock clock) {
    this.database = database;
    this.gate = gate;
    this.passwords = new PasswordCheck(database, gate, clock);
    this.clock = clock;
  }

  /** All users of the account, oldest first. */
  public List<Member> list(SignedIn who) {
    return database.read(tx -> store.members(tx, who.account().id()));
  }

  /**
   * Holds for the user's very next request.
   *
   * @throws RequestException {@code FORBIDDEN} unless an owner asks, {@code NOT_FOUND}, {@code
   *     CONFLICT} where no owner would be left
   */
  public void changeRole(SignedIn who, UserId id, Role role) {
    database.useTransaction(tx -> {
      owners.lock(tx, who);
      User user = find(tx, who, id);
      if (user.role() == role) {
        return;
      }
      requireAnotherOwner(tx, user);
      store.setRole(tx, id, role);
      if (!role.mayAdminister()) {
        invitations.deleteOf(tx, id); // or else he could let himself in again
      }
      write(
          tx,
          who,
          "user.role",
          id,
          "%s: %s, was %s".formatted(user.email(), role.wireName(), user.role().wireName()));
    });
  }

  /**
   * Removes a user, ends his sessions and revokes the invitations that he made.
   *
   * @throws RequestException {@code FORBIDDEN} unless an owner asks, {@code NOT_FOUND}, {@code
   *     CONFLICT} where no owner would be left
   */
  public void remove(SignedIn who, UserId id) {
    database.useTransaction(tx -> {
      owners.lock(tx, who);
      User user = find(tx, who, id);
      requireAnotherOwner(tx, user);
      // First: he may remove himself, and the session that asks with it.
      write(tx, who, "user.remove", id, user.email());
      store.delete(tx, id);
    });
  }

  /** Changes the user's own name. */
  public void rename(SignedIn who, String name) {
    PersonName shown = new PersonName(name);
    database.useTransaction(tx -> {
      store.setName(tx, who.user(), shown);
      write(tx, who, "user.name", who.user(), shown.value());
    });
  }

  /**
   * Changes the user's own password, and ends all his other sessions. The one that asks has another
   * token from then on: whoever had a copy of the earlier one is out, too.
   *
   * @throws RequestException {@code INVALID_REQUEST} where the old one is wrong or the new one
   *     cannot be one; {@code RATE_LIMITED} where the old one was wrong too often; {@code
   *     UNAVAILABLE} where too many others sign in; {@code CONFLICT} where it was changed meanwhile
   */
  public Sessions.Started changePassword(SignedIn who, Secret old, Secret chosen) {
    Passwords.check(chosen);
    Login login =
        database
            .read(tx -> store.login(tx, who.user()))
            .orElseThrow(() ->
                new RequestException(ErrorCode.UNAUTHORIZED, "You are no user of this any more."));
    if (!passwords.isRight(Guesser.inSession(who.session()), Optional.of(login), old)) {
      throw new RequestException(ErrorCode.INVALID_REQUEST, "The old password is wrong.");
    }
    String hash = gate.hash(chosen);
    Secret token = RandomText.token();
    return database.inTransaction(tx -> {
      if (!store.changePassword(tx, login, hash)) {
        throw new RequestException(
            ErrorCode.CONFLICT, "The password was changed by somebody else at this moment.");
      }
      sessions.endOthers(tx, who.user(), who.session());
      sessions.renew(tx, who.session(), RandomText.hash(token));
      write(tx, who, "user.password", who.user(), "");
      browsers.forgetAll(tx, who.user());
      Secret browser = browsers.remember(tx, Optional.empty(), who.user(), clock.instant());
      return new Sessions.Started(token, browser, who);
    });
  }

  private User find(Handle tx, SignedIn who, UserId id) {
    User user =
        store
            .find(tx, id)
            .orElseThrow(() ->
                new RequestException(ErrorCode.NOT_FOUND, "There is no user %s.".formatted(id)));
    if (!user.accountId().equals(who.account().id())) {
      throw new RequestException(
          ErrorCode.FORBIDDEN, "You have no access to user %s.".formatted(id));
    }
    return user;
  }

  private void requireAnotherOwner(Handle tx, User leaving) {
    if (leaving.role() == Role.OWNER && store.owners(tx, leaving.accountId()) == 1) {
      throw new RequestException(
          ErrorCode.CONFLICT,
          "%s is the account's last owner; make somebody else an owner first."
              .formatted(leaving.email()));
    }
  }

  private void write(Handle tx, SignedIn who, String action, UserId subject, String detail) {
    audit.write(
        tx,
        who.account().id(),
        new Actor.User(who),
        action,
        subject.value(),
        detail,
        clock.instant());
  }
}
