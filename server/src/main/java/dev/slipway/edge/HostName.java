package dev.slipway.edge;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Whom a request is for, as its {@code Host} says. */
sealed interface HostName {
  /**
   * A name.
   *
   * @param value lower case, without port and trailing dot
   */
  record Name(String value) implements HostName {}

  /** No host at all, or an address instead of a name. */
  record Unnamed() implements HostName {}

  /** Nothing that could be a host. */
  record Malformed() implements HostName {}

  /** A host, and a port that may be empty (RFC 3986, 3.2.3). */
  Pattern NAME = Pattern.compile("([a-z0-9_-]+(?:\\.[a-z0-9_-]+)*)\\.?(?::\\d{0,5})?");

  Pattern IPV4 = Pattern.compile("\\d{1,3}(?:\\.\\d{1,3}){3}");
  Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]+(?:%25[a-z0-9]+)?\\](?::\\d{0,5})?");
  int MAX_LENGTH = 253 + ".:65535".length();

  static HostName parse(Optional<String> authority) {
    if (authority.isEmpty() || authority.get().isEmpty()) {
      return new Unnamed();
    }
    String text = authority.get().toLowerCase(Locale.ROOT);
    if (text.length() > MAX_LENGTH) {
      return new Malformed();
    }
    if (text.startsWith("[")) {
      return IPV6.matcher(text).matches() ? new Unnamed() : new Malformed();
    }
    var name = NAME.matcher(text);
    if (!name.matches()) {
      return new Malformed();
    }
    return IPV4.matcher(name.group(1)).matches() ? new Unnamed() : new Name(name.group(1));
  }
}
