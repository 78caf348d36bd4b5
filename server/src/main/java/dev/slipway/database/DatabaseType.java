package dev.slipway.database;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kinds of databases that there are. */
public enum DatabaseType {
  POSTGRES,
  /** MySQL or MariaDB. */
  MYSQL;

  /** As the API writes it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<DatabaseType> ofWireName(String wireName) {
    return Arrays.stream(values()).filter(type -> type.wireName().equals(wireName)).findFirst();
  }

  public static List<String> wireNames() {
    return Arrays.stream(values()).map(DatabaseType::wireName).toList();
  }
}
