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

  Pattern IPV4 = Pattern.compile("\\d{1,3}(?:\\.\\d{1,3}){3}");
  Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]+(?:%25[a-z0-9]+)?\\](?::\\d{0,5})?");
  int MAX_PORT_DIGITS = 5;
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
    return named(text);
  }

  /**
   * Labels, and a port that may be empty (RFC 3986, 3.2.3). By hand: each request comes by here.
   */
  private static HostName named(String text) {
    int end = 0;
    boolean inLabel = false;
    while (end < text.length() && (isOfLabel(text.charAt(end)) || text.charAt(end) == '.')) {
      boolean dot = text.charAt(end) == '.';
      if (dot && !inLabel) {
        return new Malformed();
      }
      inLabel = !dot;
      end++;
    }
    if (end == 0 || !isPort(text, end)) {
      return new Malformed();
    }
    String name = text.substring(0, inLabel ? end : end - 1);
    boolean address = Character.isDigit(name.charAt(0)) && IPV4.matcher(name).matches();
    return address ? new Unnamed() : new Name(name);
  }

  private static boolean isOfLabel(char next) {
    return (next >= 'a' && next <= 'z')
        || (next >= '0' && next <= '9')
        || next == '-'
        || next == '_';
  }

  /** Whether nothing more comes, or a colon and a number. */
  private static boolean isPort(String text, int from) {
    if (from == text.length()) {
      return true;
    }
    return text.charAt(from) == ':'
        && text.length() - from - 1 <= MAX_PORT_DIGITS
        && text.chars().skip(from + 1L).allMatch(next -> next >= '0' && next <= '9');
  }
}
