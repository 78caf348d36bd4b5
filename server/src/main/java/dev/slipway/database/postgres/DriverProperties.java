package dev.slipway.database.postgres;

import dev.slipway.database.DatabaseLink;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * What the driver gets: nothing that we do not know, and everything where it would look around by
 * itself (for certificates of this server's user, for tickets of Kerberos).
 */
final class DriverProperties {
  /**
   * A parameter of our own cluster's place alone: a stranger who took its port while it was down
   * must not be told the password.
   */
  static final String REQUIRE_AUTH = "require_auth";

  private static final Map<String, String> ALWAYS =
      Map.of(
          "ApplicationName", "slipway",
          "gssEncMode", "disable",
          "sslcert", "",
          "sslkey", "",
          "sslResponseTimeout", "5000",
          "tcpKeepAlive", "true",
          // Of one answer, in bytes: nothing that we ask for has more.
          "maxResultBuffer", "1M",
          // Details of errors show values of rows.
          "logServerErrorDetail", "false");

  private DriverProperties() {}

  static String url(DatabaseLink link) {
    return "jdbc:postgresql://%s/%s"
        .formatted(link.place().authority(), PostgresUrl.encoded(link.place().name()));
  }

  /**
   * @param connects how long a connection to the host may take
   * @param answers how long it may say nothing after that
   * @param session settings of the session, which go before those of the database and the user
   */
  static Properties of(
      DatabaseLink link, Duration connects, Duration answers, Map<String, String> session) {
    Properties properties = new Properties();
    ALWAYS.forEach(properties::setProperty);
    properties.setProperty("user", link.login().user());
    properties.setProperty("password", link.login().password().reveal());
    properties.setProperty("connectTimeout", Long.toString(connects.toSeconds()));
    properties.setProperty("socketTimeout", Long.toString(answers.toSeconds()));
    Map<String, String> parameters = link.place().parameters();
    String sslMode = parameters.getOrDefault(Parameter.SSLMODE.wireName(), "prefer");
    properties.setProperty("sslmode", sslMode);
    properties.setProperty("sslfactory", factory(sslMode));
    Optional.ofNullable(parameters.get(Parameter.CHANNEL_BINDING.wireName()))
        .ifPresent(it -> properties.setProperty("channelBinding", it));
    Optional.ofNullable(parameters.get(REQUIRE_AUTH))
        .ifPresent(it -> properties.setProperty("requireAuth", it));
    if (!session.isEmpty()) {
      StringBuilder options = new StringBuilder();
      session.forEach((name, value) -> options.append("-c %s=%s ".formatted(name, value)));
      properties.setProperty("options", options.toString().strip());
    }
    return properties;
  }

  // As libpq: certificates are checked where that is asked for, and then by what this host trusts.
  private static String factory(String sslMode) {
    return sslMode.equals("verify-full")
        ? "org.postgresql.ssl.DefaultJavaSSLFactory"
        : "org.postgresql.ssl.NonValidatingFactory";
  }
}
