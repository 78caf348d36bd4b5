package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import org.jdbi.v3.core.Handle;

/** Lets only owners administer an account, one at a time. */
final class Owners {
  private final UserStore users = new UserStore();

  /** For what is read: goes by what the session was found with. */
  void require(SignedIn who) {
    require(who.role());
  }

  /**
   * For what is changed: no other change of users, invitations and keys of the account is made
   * until the transaction ends.
   *
   * @throws RequestException {@code FORBIDDEN} where he is no owner, or no longer one; {@code
   *     UNAUTHORIZED} where he is no user any more
   */
  void lock(Handle tx, SignedIn who) {
    users.lockAll(tx, who.account().id());
    require(
        users
            .find(tx, who.user())
            .orElseThrow(() ->
                new RequestException(ErrorCode.UNAUTHORIZED, "You are no user of this any more."))
            .role());
  }

  private static void require(Role role) {
    if (!role.mayAdminister()) {
      throw new RequestException(
          ErrorCode.FORBIDDEN, "Only an owner of the account can do this; ask one.");
    }
  }
}
