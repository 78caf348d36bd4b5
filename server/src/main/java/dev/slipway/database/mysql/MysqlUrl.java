package dev.slipway.database.mysql;

import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseAddress;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes {@code mysql://user:password@host:port/name?ssl-mode=REQUIRED}. What is wrong is
 * told without quoting anything that may hold a password.
 */
final class MysqlUrl {
  private static final Pattern SHAPE =
      Pattern.compile(
          "(?:mysql|mariadb)://(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?"
              + "(?:\\[(?<literal>[0-9a-fA-F:.]+)]|(?<host>[A-Za-z0-9._-]{1,253}))"
              + "(?::(?<port>\\d{1,5}))?(?:/(?<name>[^/?#]*))?(?:\\?ssl-mode=(?<ssl>[A-Z_]+))?");
  private static final int DEFAULT_PORT = 3306;
  private static final int MAX_PORT = 65_535;
  private static final int MAX_NAME = 64;

  private MysqlUrl() {}

  /**
   * @throws IllegalArgumentException with what is wrong
   */
  static DatabaseAddress parse(String url) {
    Matcher parts = parts(url);
    String user = name("user", Optional.ofNullable(parts.group("user")));
    String name = name("database", Optional.ofNullable(parts.group("name")));
    Optional<Secret> password =
        Optional.ofNullable(parts.group("password")).map(it -> new Secret(decoded(it)));
    return new DatabaseAddress(place(parts, name), user, password);
  }

  /** Where the server of the configuration is; its name is empty. */
  static DatabasePlace parseJdbc(String url) {
    Matcher parts = parts(url.replaceFirst("^jdbc:", ""));
    if (parts.group("user") != null) {
      throw new IllegalArgumentException("names a user, which is a key of its own");
    }
    if (!Optional.ofNullable(parts.group("name")).orElse("").isEmpty()) {
      throw new IllegalArgumentException("names a database; it must end behind the port");
    }
    return place(parts, "");
  }

  static String write(DatabaseLink link) {
    DatabasePlace place = link.place();
    return "mysql://%s:%s@%s/%s%s"
        .formatted(
            encoded(link.login().user()),
            encoded(link.login().password().reveal()),
            place.authority(),
            encoded(place.name()),
            Optional.ofNullable(place.parameters().get(SslMode.PARAMETER))
                .map(mode -> "?%s=%s".formatted(SslMode.PARAMETER, mode))
                .orElse(""));
  }

  private static Matcher parts(String url) {
    Matcher parts = SHAPE.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "is not of the form mysql://user@host[:port]/name[?ssl-mode=REQUIRED]; other parameters"
              + " are not possible, and within a user or a name write / ? # @ : as %2F %3F %23 %40"
              + " %3A");
    }
    return parts;
  }

  private static DatabasePlace place(Matcher parts, String name) {
    int port = Optional.ofNullable(parts.group("port")).map(Integer::parseInt).orElse(DEFAULT_PORT);
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("names a port that is none: it is from 1 to 65535");
    }
    String host = Optional.ofNullable(parts.group("literal")).orElseGet(() -> parts.group("host"));
    if (host.equalsIgnoreCase("localhost")) {
      host = "127.0.0.1"; // programs take that name for a socket's file
    }
    Map<String, String> parameters =
        Optional.ofNullable(parts.group("ssl"))
            .map(text -> Map.of(SslMode.PARAMETER, SslMode.parse(text).name()))
            .orElse(Map.of());
    return new DatabasePlace(DatabaseType.MYSQL, host, port, name, parameters);
  }

  /** One that begins with a dash a program would take for an option. */
  private static String name(String what, Optional<String> text) {
    String name = decoded(text.orElse(""));
    if (name.isEmpty()) {
      throw new IllegalArgumentException("names no " + what);
    }
    if (name.length() > MAX_NAME
        || name.startsWith("-")
        || name.codePoints().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "names a %s that is longer than %d characters, begins with a dash or has control characters"
              .formatted(what, MAX_NAME));
    }
    return name;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException quotingIt) {
      throw new IllegalArgumentException("has a % without two hexadecimal digits");
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
  }
}
