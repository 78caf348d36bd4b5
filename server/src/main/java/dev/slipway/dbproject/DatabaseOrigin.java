package dev.slipway.dbproject;

import java.util.Locale;

/** How an account came to a database. */
public enum DatabaseOrigin {
  /** We made it, on a server of the operator's. */
  CREATED,
  /** It is somewhere else; we only know how to log in. */
  CONNECTED;

  /** As the API writes it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
