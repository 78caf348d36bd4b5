package dev.slipway.dashboard;

import dev.slipway.account.Sessions;
import dev.slipway.account.SignedIn;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/** Who is let in, and what he may ask for. Thread-safe. */
final class Doorkeeper {
  private static final String TOKEN_HEADER = "X-CSRF-Token";
  private static final String TOKEN_FIELD = "csrf";

  private final Sessions sessions;
  private final SessionCookie cookie;
  private final SameOrigin sameOrigin;

  Doorkeeper(Sessions sessions, SessionCookie cookie, SameOrigin sameOrigin) {
    this.sessions = sessions;
    this.cookie = cookie;
    this.sameOrigin = sameOrigin;
  }

  /** Somebody who is signed in, and the session that says so. */
  record Entry(Secret session, SignedIn who) {
    /** What the forms that are made for him carry. */
    String formToken() {
      return Sessions.csrf(session);
    }
  }

  /** Asks the store. */
  Optional<Entry> find(HttpServerRequest request) {
    return cookie
        .read(request)
        .flatMap(session -> sessions.find(session).map(who -> new Entry(session, who)));
  }

  /** Whether he is still signed in; for answers that take long. Asks the store. */
  boolean lasts(SignedIn who) {
    return sessions.lasts(who.session());
  }

  /**
   * For what changes something, of whoever it may be.
   *
   * @throws RequestException {@code FORBIDDEN} where another site's page asks for it
   */
  void requireOurOrigin(HttpServerRequest request) {
    sameOrigin.require(request);
  }

  /**
   * For what changes something.
   *
   * @throws RequestException {@code FORBIDDEN} where no page asks for it that was made for him
   */
  void requireOurForm(HttpServerRequest request, Entry entry) {
    sameOrigin.require(request);
    String given =
        Optional.ofNullable(request.getHeader(TOKEN_HEADER))
            .or(() -> Optional.ofNullable(request.getFormAttribute(TOKEN_FIELD)))
            .orElse("");
    if (!Sessions.isCsrf(entry.session(), given)) {
      throw SameOrigin.refusal();
    }
  }

  /**
   * @throws RequestException {@code FORBIDDEN} where his role does not allow it
   */
  static void require(Pages.Need need, SignedIn who) {
    switch (need) {
      case ANY -> {}
      case CHANGE -> who.role().requireMayChange();
      case ADMINISTER -> {
        if (!who.role().mayAdminister()) {
          throw new RequestException(
              ErrorCode.FORBIDDEN, "Only an owner of the account may do this; ask one of them.");
        }
      }
    }
  }
}
