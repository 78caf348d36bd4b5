package dev.slipway.account;

import dev.slipway.core.SessionId;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Who guesses a password, as far as that can be told: what his guesses are counted by.
 *
 * @param counted in the same order for all, so that no two wait for each other
 * @param cleared what counts no more once the password was right
 */
record Guesser(List<Subject> counted, List<Subject> cleared) {
  private static final Tally.Limit OF_ONE = new Tally.Limit(5, Duration.ofMinutes(12));

  /** Behind one address may be an office. */
  private static final Tally.Limit OF_ADDRESS = new Tally.Limit(20, Duration.ofMinutes(3));

  /** High: or else whoever knows an e-mail address could easily keep its user out. */
  private static final Tally.Limit OF_USER = new Tally.Limit(100, Duration.ofMinutes(15));

  record Subject(String text, Tally.Limit limit) {}

  /** Counted for one user from one address, for all users from it, and for him from anywhere. */
  static Guesser stranger(EmailAddress email, String address) {
    Subject pair = new Subject("pair " + address + " " + user(email), OF_ONE);
    return new Guesser(
        List.of(new Subject("address " + address, OF_ADDRESS), ofUser(email), pair), List.of(pair));
  }

  /**
   * Who has proved that this user signed in with his browser before: counted by that alone, so that
   * nobody else's guesses keep him out.
   */
  static Guesser atKnownBrowser(EmailAddress email, byte[] browser) {
    Subject own =
        new Subject("browser " + HexFormat.of().formatHex(browser) + " " + user(email), OF_ONE);
    return new Guesser(List.of(own), List.of(own, ofUser(email)));
  }

  /** Who is signed in: whoever took a session over may come from many addresses. */
  static Guesser inSession(SessionId session) {
    Subject own = new Subject("session " + session, OF_ONE);
    return new Guesser(List.of(own), List.of(own));
  }

  private static Subject ofUser(EmailAddress email) {
    return new Subject("user " + user(email), OF_USER);
  }

  private static String user(EmailAddress email) {
    return email.value().toLowerCase(Locale.ROOT);
  }
}
