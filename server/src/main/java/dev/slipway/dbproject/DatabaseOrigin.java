package dev.slipway.dbproject;

/** How an account came to a database. */
public enum DatabaseOrigin {
  /** We made it, on a server of the operator's. */
  CREATED,
  /** It is somewhere else; we only know how to log in. */
  CONNECTED
}
