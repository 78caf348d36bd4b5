package dev.slipway.database.mysql;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.mysql.MysqlAdminStore.Session;
import dev.slipway.db.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Ends the sessions of a login that nobody logs in with any more. The server shows of each whose
 * rights it has at the moment: who is in a routine of that login must go on, and who hides in a
 * routine of another one must not. What it shows of one that is idle is true.
 */
final class LoginSessions {
  private static final Duration LOOKS_TAKE = Duration.ofSeconds(1);
  private static final Duration ENDING_TAKES = Duration.ofSeconds(20);

  private final MysqlAdminStore admin;
  private final String database;
  private final String user;

  LoginSessions(MysqlAdminStore admin, String database, String user) {
    this.admin = admin;
    this.database = database;
    this.user = user;
  }

  /**
   * Those of now.
   *
   * @throws AppFailure {@code DATABASE_FAILED} where one does not end
   */
  void end() {
    Set<String> theirs = find();
    theirs.forEach(id -> admin.endSession(database, id));
    boolean ended =
        Pause.until(
            () -> admin.sessions(database).stream().map(Session::id).noneMatch(theirs::contains),
            ENDING_TAKES);
    if (!ended) {
      throw new AppFailure(
          FailureCode.DATABASE_FAILED,
          "sessions of %s do not end: look at SHOW PROCESSLIST on the server".formatted(user));
    }
  }

  /** One that is never idle is taken for the login's if it ever shows it. */
  private Set<String> find() {
    Set<String> theirs = new HashSet<>();
    Set<String> others = new HashSet<>();
    Set<String> perhaps = new HashSet<>();
    Instant enough = Instant.now().plus(LOOKS_TAKE);
    boolean _ =
        Pause.until(
            () -> {
              boolean allAreKnown = true;
              for (Session it : admin.sessions(database)) {
                boolean shown = it.user().equals(user);
                if (it.idle()) {
                  (shown ? theirs : others).add(it.id());
                } else if (shown) {
                  perhaps.add(it.id());
                }
                allAreKnown &= theirs.contains(it.id()) || others.contains(it.id());
              }
              return allAreKnown || Instant.now().isAfter(enough);
            },
            ENDING_TAKES);
    perhaps.removeAll(others);
    theirs.addAll(perhaps);
    return theirs;
  }
}
