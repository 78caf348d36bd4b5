package dev.slipway.dashboard;

import dev.slipway.account.Role;

/** The pages of one subject. */
interface Pages {
  void mount(Site site);

  /** Runs on a virtual thread of the request's own; may block. */
  @FunctionalInterface
  interface Handler {
    Reply handle(Visit visit);
  }

  /** Who may do it. */
  enum Need {
    /** Anybody who is signed in. */
    ANY,
    /** Not for viewers. */
    CHANGE,
    /** Owners alone. */
    ADMINISTER;

    boolean metBy(Role role) {
      return switch (this) {
        case ANY -> true;
        case CHANGE -> role.mayChange();
        case ADMINISTER -> role.mayAdminister();
      };
    }
  }
}
