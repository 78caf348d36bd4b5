package dev.slipway.core;

/** Identifies a session of a user who is signed in; says nothing about its secret. */
public record SessionId(String value) {
  public static SessionId next() {
    return new SessionId(TypeId.next("ses"));
  }

  @Override
  public String toString() {
    return value;
  }
}
