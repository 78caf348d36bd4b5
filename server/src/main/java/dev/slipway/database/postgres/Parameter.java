package dev.slipway.database.postgres;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A parameter that a URL may have. Those of drivers can load classes and read files, so that all
 * others are refused; these mean the same to libpq and to us.
 *
 * @see <a href="https://www.postgresql.org/docs/18/libpq-envars.html">variables of libpq</a>
 */
enum Parameter {
  /** Not {@code allow}, which helps nobody, nor {@code verify-ca}, which libpq refuses here. */
  SSLMODE("PGSSLMODE", "disable|prefer|require|verify-full"),
  /** The certificates that the system trusts; a file would be one of ours. */
  SSLROOTCERT("PGSSLROOTCERT", "system"),
  CHANNEL_BINDING("PGCHANNELBINDING", "disable|prefer|require"),
  APPLICATION_NAME("PGAPPNAME", "[A-Za-z0-9 ._:/-]{1,63}"),
  CONNECT_TIMEOUT("PGCONNECT_TIMEOUT", "[0-9]{1,4}");

  private final String variable;
  private final Pattern values;

  Parameter(String variable, String values) {
    this.variable = variable;
    this.values = Pattern.compile(values);
  }

  String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The variable that says the same to an application. */
  String variable() {
    return variable;
  }

  boolean takes(String value) {
    return values.matcher(value).matches();
  }

  /** For a sentence: what it may be. */
  String choices() {
    return switch (this) {
      case SSLMODE, SSLROOTCERT, CHANNEL_BINDING -> values.pattern().replace("|", ", ");
      case APPLICATION_NAME -> "at most 63 letters, digits, blanks and . _ : / -";
      case CONNECT_TIMEOUT -> "a number of seconds";
    };
  }

  static Optional<Parameter> ofWireName(String name) {
    return Arrays.stream(values()).filter(it -> it.wireName().equals(name)).findFirst();
  }

  static String names() {
    return Arrays.stream(values()).map(Parameter::wireName).collect(Collectors.joining(", "));
  }
}
