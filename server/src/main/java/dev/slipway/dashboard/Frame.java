package dev.slipway.dashboard;

import dev.slipway.account.SignedIn;
import java.util.Optional;

/**
 * What stands around each page.
 *
 * @param who absent on the pages that need no sign-in
 * @param token proves that a form comes from one of our own pages; empty where nobody is signed in
 * @param here the path of this page, to come back to
 * @param notice what was done before
 * @param problem why what was asked for could not be done
 */
public record Frame(
    String title,
    Section section,
    Optional<SignedIn> who,
    String token,
    String here,
    Theme theme,
    Optional<Notice> notice,
    Optional<String> problem) {

  /** Whether he who is signed in may change anything; what he may not is not offered. */
  public boolean mayChange() {
    return who.map(it -> it.role().mayChange()).orElse(false);
  }

  public boolean mayAdminister() {
    return who.map(it -> it.role().mayAdminister()).orElse(false);
  }

  /** For the buttons that choose it. */
  public String isTheme(String name) {
    return Boolean.toString(theme.wireName().equals(name));
  }
}
