package dev.slipway.database.postgres;

import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseAddress;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads and writes {@code postgresql://user:password@host:port/name?parameters}. What is wrong is
 * told without quoting anything that may be, or may hold, a password.
 */
final class PostgresUrl {
  static final int DEFAULT_PORT = 5432;

  private static final Pattern SHAPE =
      Pattern.compile(
          "postgres(?:ql)?://(?:(?<who>[^/?#]*)@)?(?<where>[^/?#@]*)(?:/(?<name>[^/?#]*))?(?:\\?(?<parameters>[^#]*))?");
  private static final Pattern WHERE =
      Pattern.compile(
          "(?:\\[(?<literal>[0-9a-fA-F:.]+)]|(?<host>[^:\\[\\]]*))(?::(?<port>\\d{1,5}))?");
  private static final String LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
  private static final Pattern HOST = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*\\.?");
  private static final int MAX_HOST = 253;
  private static final int MAX_NAME = 63; // what PostgreSQL keeps of one

  private PostgresUrl() {}

  /**
   * @throws IllegalArgumentException with what is wrong
   */
  static DatabaseAddress parse(String url) {
    Matcher parts = parts(url);
    String[] who = Optional.ofNullable(parts.group("who")).orElse("").split(":", 2);
    String user = name("user", who[0]);
    Optional<Secret> password =
        who.length == 2 ? Optional.of(new Secret(decoded("password", who[1]))) : Optional.empty();
    return new DatabaseAddress(
        place(parts, name("database", Optional.ofNullable(parts.group("name")).orElse(""))),
        user,
        password);
  }

  /**
   * A place without who logs in there, as JDBC writes it; the database is {@code postgres} where
   * none is named.
   *
   * @throws IllegalArgumentException with what is wrong
   */
  static DatabasePlace parseJdbc(String url) {
    Matcher parts = parts(url.replaceFirst("^jdbc:", ""));
    if (parts.group("who") != null) {
      throw new IllegalArgumentException("names a user, which is a key of its own");
    }
    String name = Optional.ofNullable(parts.group("name")).orElse("");
    return place(parts, name.isEmpty() ? "postgres" : name("database", name));
  }

  /** With the password, everything encoded that could be taken for something else. */
  static String write(DatabaseLink link) {
    DatabasePlace place = link.place();
    return "postgresql://%s:%s@%s/%s%s"
        .formatted(
            encoded(link.login().user()),
            encoded(link.login().password().reveal()),
            place.authority(),
            encoded(place.name()),
            query(place.parameters()));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private static Matcher parts(String url) {
    Matcher parts = SHAPE.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "is not of the form postgres://user@host[:port]/name; within a user or a name write"
              + " / ? # @ : as %2F %3F %23 %40 %3A");
    }
    return parts;
  }

  private static DatabasePlace place(Matcher parts, String name) {
    Matcher where = WHERE.matcher(parts.group("where"));
    if (!where.matches()) {
      throw new IllegalArgumentException(
          "names no host, or a port that is none: write host:port, and an IPv6 address in brackets");
    }
    return new DatabasePlace(
        DatabaseType.POSTGRES,
        where.group("literal") == null
            ? host(where.group("host"))
            : literal(where.group("literal")),
        port(Optional.ofNullable(where.group("port"))),
        name,
        parameters(Optional.ofNullable(parts.group("parameters")).orElse("")));
  }

  private static String host(String host) {
    if (host.contains(",")) {
      throw new IllegalArgumentException("names several hosts; only one is possible");
    }
    if (host.length() > MAX_HOST || !HOST.matcher(host).matches()) {
      throw new IllegalArgumentException("names no host that could exist");
    }
    return host;
  }

  private static String literal(String address) {
    try {
      InetAddress.ofLiteral(address);
      return address;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("names no IPv6 address between the brackets", e);
    }
  }

  private static int port(Optional<String> text) {
    int port = text.map(Integer::parseInt).orElse(DEFAULT_PORT);
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("names a port that is none: it is from 1 to 65535");
    }
    return port;
  }

  private static String name(String what, String text) {
    String name = decoded(what, text);
    if (name.isEmpty()) {
      throw new IllegalArgumentException("names no " + what);
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME
        || name.codePoints().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "names a %s that PostgreSQL cannot have: longer than %d bytes, or with control characters"
              .formatted(what, MAX_NAME));
    }
    return name;
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      String[] sides = pair.split("=", 2);
      Parameter parameter =
          Parameter.ofWireName(sides[0])
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      "has a parameter that is not allowed; these are: " + Parameter.names()));
      String value = decoded(parameter.wireName(), sides.length == 2 ? sides[1] : "");
      if (!parameter.takes(value)) {
        throw new IllegalArgumentException(
            "has a value of %s that is not allowed; these are: %s"
                .formatted(parameter.wireName(), parameter.choices()));
      }
      if (parameters.put(parameter.wireName(), value) != null) {
        throw new IllegalArgumentException("says %s twice".formatted(parameter.wireName()));
      }
    }
    return parameters;
  }

  private static String query(Map<String, String> parameters) {
    return parameters.isEmpty()
        ? ""
        : new TreeMap<>(parameters)
            .entrySet().stream()
                .map(it -> it.getKey() + "=" + encoded(it.getValue()))
                .collect(Collectors.joining("&", "?", ""));
  }

  private static String decoded(String what, String text) {
    // The JDK's message would quote the text.
    if (text.matches("(?s).*%(?![0-9a-fA-F]{2}).*")) {
      throw new IllegalArgumentException(
          "has a %s with a %% that begins no character: write %% as %%25".formatted(what));
    }
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
