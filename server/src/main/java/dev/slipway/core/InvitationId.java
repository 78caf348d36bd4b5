package dev.slipway.core;

/** Identifies an invitation to an account; says nothing about its secret. */
public record InvitationId(String value) {
  public static InvitationId next() {
    return new InvitationId(TypeId.next("inv"));
  }

  @Override
  public String toString() {
    return value;
  }
}
