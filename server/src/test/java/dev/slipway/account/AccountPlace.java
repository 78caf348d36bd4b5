package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.Secret;
import dev.slipway.core.TestClock;
import dev.slipway.core.UserId;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store with accounts whose users sign in. */
final class AccountPlace implements AutoCloseable {
  static final Secret PASSWORD = new Secret("difference engine");
  static final Sessions.Visitor VISITOR = new Sessions.Visitor("10.0.0.1", "Lynx/2.9");

  final TestClock clock = new TestClock();
  final Database database = TestDatabase.fresh();
  final PasswordGate gate = PasswordGate.forCores();
  final Sessions sessions = new Sessions(database, gate, clock);
  final Users users = new Users(database, gate, clock);
  final Invitations invitations = new Invitations(database, sessions, gate, clock);
  final ApiKeys keys = new ApiKeys(database, clock);
  final Audit audit = new Audit(database, clock);
  final AccountAdministration administration =
      new AccountAdministration(database, new AccountStore(), Set.of("free", "team"), clock);

  /** Another account, with its owner and a key. */
  AccountAdministration.MadeAccount account(String owner) {
    return administration.create(owner, "free", Optional.of(PASSWORD));
  }

  /** Another user of an account that there is, who has the same password. */
  UserId user(AccountId account, String email, Role role) {
    User user = new User(UserId.next(), account, email, "", role, clock.instant());
    database.useTransaction(tx -> new UserStore().insert(tx, user, Passwords.hash(PASSWORD)));
    return user.id();
  }

  Sessions.Started open(String email) {
    return sessions.signIn(email, PASSWORD, VISITOR);
  }

  SignedIn signIn(String email) {
    return open(email).who();
  }

  /** What was done, oldest first. */
  List<AuditEntry> entries(AccountId account) {
    return audit.list(account, Optional.empty(), 100).reversed();
  }

  @Override
  public void close() {
    database.close();
  }
}
