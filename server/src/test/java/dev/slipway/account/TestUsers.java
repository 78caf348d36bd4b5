package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.Secret;
import dev.slipway.core.UserId;
import dev.slipway.db.Database;
import java.time.Instant;

/** Users for the tests of other packages. */
public final class TestUsers {
  private TestUsers() {}

  /** Adds one to an account; returns the e-mail address. */
  public static String add(Database database, AccountId account, Role role, String password) {
    UserId id = UserId.next();
    String email = "%s-%s@example.org".formatted(role.wireName(), id.value());
    User user = new User(id, account, email, "", role, Instant.now());
    database.useTransaction(
        tx -> new UserStore().insert(tx, user, Passwords.hash(new Secret(password))));
    return email;
  }
}
