package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.InvitationId;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.core.UserId;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** How others become users of an account: by a token that an owner gives them. Thread-safe. */
public final class Invitations {
  private static final Duration LIFE = Duration.ofDays(7);

  private final Database database;
  private final InvitationStore store = new InvitationStore();
  private final UserStore users = new UserStore();
  private final AuditStore audit = new AuditStore();
  private final Owners owners = new Owners();
  private final Sessions sessions;
  private final PasswordGate gate;
  private final Clock clock;

  public Invitations(Database database, Sessions sessions, PasswordGate gate, Clock clock) {
    this.database = database;
    this.sessions = sessions;
    this.gate = gate;
    this.clock = clock;
  }

  /** An invitation with its token, which is told this once. */
  public record Made(Invitation invitation, Secret token) {}

  /**
   * Makes an invitation that can be accepted for seven days; an earlier one for the same address
   * cannot any more. Who uses the service elsewhere is not told: an address of another account is
   * invited, and refused only to whoever has the link.
   *
   * @throws RequestException {@code FORBIDDEN} unless an owner asks, {@code CONFLICT} where a user
   *     of the account has the address, {@code INVALID_REQUEST} where it is none
   */
  public Made invite(SignedIn who, String email, Role role) {
    EmailAddress address = new EmailAddress(email.strip());
    Secret token = RandomText.token();
    Instant now = clock.instant();
    Invitation invitation =
        new Invitation(
            InvitationId.next(),
            who.account().id(),
            address.value(),
            role,
            who.email(),
            now,
            now.plus(LIFE));
    return database.inTransaction(tx -> {
      owners.lock(tx, who);
      if (users.isMember(tx, who.account().id(), address)) {
        throw taken(address.value());
      }
      store.put(tx, invitation, who.user(), RandomText.hash(token));
      write(
          tx,
          who,
          "user.invite",
          invitation.id().value(),
          "%s as %s".formatted(address.value(), role.wireName()));
      return new Made(invitation, token);
    });
  }

  /**
   * Those that can be accepted, oldest first.
   *
   * @throws RequestException {@code FORBIDDEN} unless an owner asks
   */
  public List<Invitation> pending(SignedIn who) {
    owners.require(who);
    return database.read(tx -> store.pending(tx, who.account().id(), clock.instant()));
  }

  /**
   * @throws RequestException {@code FORBIDDEN} unless an owner of its account asks, {@code
   *     NOT_FOUND} where it is gone
   */
  public void revoke(SignedIn who, InvitationId id) {
    database.useTransaction(tx -> {
      owners.lock(tx, who);
      Invitation invitation = store.find(tx, id).orElseThrow(() -> unknown(id));
      if (!invitation.accountId().equals(who.account().id())) {
        throw new RequestException(
            ErrorCode.FORBIDDEN, "You have no access to invitation %s.".formatted(id));
      }
      if (!store.delete(tx, id)) {
        throw unknown(id); // accepted at this moment
      }
      write(tx, who, "user.uninvite", id.value(), invitation.email());
    });
  }

  /** The one that can be accepted with that token. */
  public Optional<Invitation> find(Secret token) {
    byte[] hash = RandomText.hash(token);
    return database.read(tx -> store.find(tx, hash, clock.instant()));
  }

  /**
   * Makes the user, and signs him in.
   *
   * @param name for people; may be empty
   * @throws RequestException {@code NOT_FOUND} where the token cannot be used, or not any more;
   *     {@code CONFLICT} where a user has the address by now; {@code INVALID_REQUEST} for the
   *     password and the name; {@code UNAVAILABLE} where too many others sign in
   */
  public Sessions.Started accept(
      Secret token, String name, Secret password, Sessions.Visitor visitor) {
    PersonName shown = new PersonName(name);
    Passwords.check(password);
    // Before the work: a token that was made up shall not cause it.
    var _ = find(token).orElseThrow(Invitations::useless);
    String passwordHash = gate.hash(password);
    return database.inTransaction(tx -> {
      Instant now = clock.instant();
      Invitation invitation =
          store.take(tx, RandomText.hash(token), now).orElseThrow(Invitations::useless);
      User user =
          new User(
              UserId.next(),
              invitation.accountId(),
              invitation.email(),
              shown.value(),
              invitation.role(),
              now);
      if (!users.insert(tx, user, passwordHash)) {
        throw taken(user.email());
      }
      Sessions.Started started =
          sessions.open(tx, new Login(user.id(), passwordHash), visitor).orElseThrow();
      write(
          tx,
          started.who(),
          "user.join",
          user.id().value(),
          "as %s, invited by %s".formatted(user.role().wireName(), invitation.invitedBy()));
      return started;
    });
  }

  /** Deletes those that cannot be accepted any more. */
  public void forgetOld() {
    database.useTransaction(tx -> store.forget(tx, clock.instant()));
  }

  private void write(Handle tx, SignedIn who, String action, String subject, String detail) {
    audit.write(
        tx, who.account().id(), new Actor.User(who), action, subject, detail, clock.instant());
  }

  private static RequestException taken(String email) {
    return new RequestException(
        ErrorCode.CONFLICT, "The e-mail address %s is a user's already.".formatted(email));
  }

  private static RequestException unknown(InvitationId id) {
    return new RequestException(
        ErrorCode.NOT_FOUND, "There is no invitation %s; it may have been accepted.".formatted(id));
  }

  private static RequestException useless() {
    return new RequestException(
        ErrorCode.NOT_FOUND,
        "This invitation was used, revoked, or is older than seven days; ask for another one.");
  }
}
