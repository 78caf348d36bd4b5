package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a user may do in the account. */
public enum Role {
  /** Everything, users and API keys among it. */
  OWNER,
  /** Everything but users and API keys. */
  MEMBER,
  /** Look, but change nothing and see no secret. */
  VIEWER;

  /** Whether projects, databases and all that belongs to them may be changed. */
  public boolean mayChange() {
    return switch (this) {
      case OWNER, MEMBER -> true;
      case VIEWER -> false;
    };
  }

  /**
   * For what {@link #mayChange} is asked for.
   *
   * @throws RequestException {@code FORBIDDEN}
   */
  public void requireMayChange() {
    if (!mayChange()) {
      throw new RequestException(
          ErrorCode.FORBIDDEN,
          "You may look at everything and change nothing; ask an owner of the account for another role.");
    }
  }

  /** Whether users and API keys may be made, changed and removed. */
  public boolean mayAdminister() {
    return switch (this) {
      case OWNER -> true;
      case MEMBER, VIEWER -> false;
    };
  }

  /** As pages and forms write it, for example {@code owner}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one that is written so, if there is one. */
  public static Optional<Role> ofWireName(String text) {
    return Arrays.stream(values()).filter(role -> role.wireName().equals(text)).findFirst();
  }
}
