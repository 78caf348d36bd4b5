package dev.slipway.dbproject;

import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabaseType;
import java.security.SecureRandom;
import java.util.stream.Collectors;

/**
 * A database on a server, and who logs in to it.
 *
 * @param server the id of its server
 * @param name tells nothing, and is never used again
 */
record Physical(DatabaseType type, String server, String name, DatabaseLogin login) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final String LETTERS =
      "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789";
  private static final int NAME_LENGTH = 16;
  private static final int PASSWORD_LENGTH = 40;

  /**
   * @param number of the login; MySQL allows names of 32 characters
   */
  static Physical next(DatabaseType type, String server, int number) {
    String name = "db_" + random(DIGITS, NAME_LENGTH);
    return new Physical(type, server, name, login(name, number));
  }

  /** The same database with another login. */
  Physical withLogin(int number) {
    return new Physical(type, server, name, login(name, number));
  }

  private static DatabaseLogin login(String name, int number) {
    return new DatabaseLogin(
        name + "_" + number, new Secret(random(LETTERS, PASSWORD_LENGTH))); // as it is in a URL
  }

  private static String random(String characters, int length) {
    return RANDOM
        .ints(length, 0, characters.length())
        .mapToObj(index -> String.valueOf(characters.charAt(index)))
        .collect(Collectors.joining());
  }
}
