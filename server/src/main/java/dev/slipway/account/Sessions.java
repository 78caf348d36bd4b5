package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.core.SessionId;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Who is signed in. A session is a token that the browser keeps, and of which the store has a hash;
 * it ends after 14 days without use, after 90 days, or when somebody ends it. Thread-safe.
 */
public final class Sessions {
  private final Database database;
  private final SessionStore store = new SessionStore();
  private final UserStore users = new UserStore();
  private final KnownBrowsers browsers = new KnownBrowsers();
  private final AuditStore audit = new AuditStore();
  private final PasswordCheck passwords;
  private final Clock clock;

  public Sessions(Database database, PasswordGate gate, Clock clock) {
    this.database = database;
    this.passwords = new PasswordCheck(database, gate, clock);
    this.clock = clock;
  }

  /**
   * Who asks to be signed in.
   *
   * @param address of the network, without regard to how it writes it
   * @param userAgent what the browser says it is, untrusted; cut to {@value #MAX_USER_AGENT}
   *     characters, without control characters
   * @param session the token of the session that the browser is in, which the new one replaces
   * @param browser the token that it was given when somebody signed in with it before
   */
  public record Visitor(
      String address, String userAgent, Optional<Secret> session, Optional<Secret> browser) {
    private static final int MAX_USER_AGENT = 200;

    public Visitor {
      String shown = userAgent.replaceAll("\\p{Cntrl}", " ").strip();
      int end = Math.min(shown.length(), MAX_USER_AGENT);
      // Half of a pair is no character.
      boolean splits = end < shown.length() && Character.isLowSurrogate(shown.charAt(end));
      userAgent = shown.substring(0, splits ? end - 1 : end);
    }

    /** One with a browser that nobody has signed in with. */
    public Visitor(String address, String userAgent) {
      this(address, userAgent, Optional.empty(), Optional.empty());
    }
  }

  /**
   * A new session with its token, which is told this once.
   *
   * @param browser by which the browser is known from now on; replaces what it had before
   */
  public record Started(Secret token, Secret browser, SignedIn who) {}

  /**
   * Begins a session, always a new one, and ends the one that the browser was in. Takes as long for
   * an address that nobody has.
   *
   * @throws RequestException {@code UNAUTHORIZED} where address or password is wrong, {@code
   *     RATE_LIMITED} where that was so too often, {@code UNAVAILABLE} where too many sign in,
   *     {@code INVALID_REQUEST} for what is no e-mail address
   */
  public Started signIn(String email, Secret password, Visitor visitor) {
    EmailAddress address = new EmailAddress(email.strip());
    Optional<Login> login = database.read(tx -> users.login(tx, address));
    boolean right = passwords.isRight(guesser(address, visitor), login, password);
    return login
        .filter(_ -> right)
        .flatMap(it -> database.inTransaction(tx -> open(tx, it, visitor)))
        .orElseThrow(() ->
            new RequestException(
                ErrorCode.UNAUTHORIZED, "The e-mail address or the password is wrong."));
  }

  /** Empty where the user is gone or has another password by now. */
  Optional<Started> open(Handle tx, Login login, Visitor visitor) {
    Secret token = RandomText.token();
    byte[] hash = RandomText.hash(token);
    SessionId id = SessionId.next();
    Instant now = clock.instant();
    if (!store.insert(tx, id, login, hash, visitor, now)) {
      return Optional.empty();
    }
    SignedIn who = store.find(tx, hash, now).orElseThrow();
    write(tx, who, "session.sign_in", id.value(), visitor.address());
    visitor
        .session()
        .flatMap(earlier -> store.end(tx, RandomText.hash(earlier)))
        .ifPresent(earlier -> write(tx, who, "session.end", earlier.value(), "signed in anew"));
    Secret browser = browsers.remember(tx, visitor.browser(), who.user(), now);
    return Optional.of(new Started(token, browser, who));
  }

  /** The store is asked in the same way where nobody has the address. */
  private Guesser guesser(EmailAddress email, Visitor visitor) {
    return visitor
        .browser()
        .map(RandomText::hash)
        .filter(hash -> database.read(tx -> browsers.knows(tx, hash, email, clock.instant())))
        .map(hash -> Guesser.atKnownBrowser(email, hash))
        .orElseGet(() -> Guesser.stranger(email, visitor.address()));
  }

  /** Whose session that is, if it has not ended; notes its use. One statement of the store. */
  public Optional<SignedIn> find(Secret token) {
    byte[] hash = RandomText.hash(token);
    return database.statement(tx -> store.find(tx, hash, clock.instant()));
  }

  /** Whether it has not ended; for answers that take long. Notes no use. */
  public boolean lasts(SessionId id) {
    return database.read(tx -> store.lasts(tx, id, clock.instant()));
  }

  /** Signs out: ends the session that asks. */
  public void end(SignedIn who) {
    end(who, who.session());
  }

  /** All of the user's own, last seen first. */
  public List<Session> list(SignedIn who) {
    return database.read(tx -> store.list(tx, who.user(), clock.instant()));
  }

  /**
   * Ends one of the user's own sessions.
   *
   * @throws RequestException {@code NOT_FOUND} for any other, {@code UNAUTHORIZED} where the one
   *     that asks has ended
   */
  public void end(SignedIn who, SessionId other) {
    database.useTransaction(tx -> {
      // First: the session that is ended may be the one that asks.
      write(tx, who, "session.end", other.value(), "");
      if (!store.end(tx, who.user(), other)) {
        throw new RequestException(
            ErrorCode.NOT_FOUND, "You have no session %s; it may have ended.".formatted(other));
      }
    });
  }

  /** Ends all of the user's sessions but the one that asks. */
  public void endOthers(SignedIn who) {
    database.useTransaction(tx -> {
      int ended = store.endOthers(tx, who.user(), who.session());
      write(tx, who, "session.end_others", who.user().value(), "%d ended".formatted(ended));
    });
  }

  /** What the forms of the session with that token carry. */
  public static String csrf(Secret token) {
    return CsrfToken.of(token);
  }

  /** Whether a form is one of the session with that token. */
  public static boolean isCsrf(Secret token, String given) {
    return CsrfToken.matches(token, given);
  }

  /** Deletes sessions that have ended by time, browsers of long ago, and guesses. */
  public void forgetOld() {
    database.useTransaction(tx -> {
      store.forget(tx, clock.instant());
      browsers.forgetOld(tx, clock.instant());
    });
    passwords.forgetOld();
  }

  private void write(Handle tx, SignedIn who, String action, String subject, String detail) {
    audit.write(
        tx, who.account().id(), new Actor.User(who), action, subject, detail, clock.instant());
  }
}
