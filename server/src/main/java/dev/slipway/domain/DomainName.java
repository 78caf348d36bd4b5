package dev.slipway.domain;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A host name as DNS has it: lower case, ASCII (RFC 5891), two labels or more, no trailing dot.
 * What may be given for it is wider: capitals, letters of other scripts, a trailing dot.
 */
public record DomainName(String value) {
  private static final int MAX_LENGTH = 253;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern LAST_IS_NUMBER =
      Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)", Pattern.DOTALL);

  public DomainName {
    fault(value)
        .ifPresent(fault -> {
          throw new IllegalArgumentException(value + " " + fault);
        });
  }

  /** The name in the form of DNS; where it is none, what comes out has a {@link #fault}. */
  static String normalized(String given) {
    try {
      String ascii = IDN.toASCII(given.strip(), IDN.USE_STD3_ASCII_RULES);
      String lower = ascii.toLowerCase(Locale.ROOT);
      return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    } catch (IllegalArgumentException notAName) {
      return given;
    }
  }

  /** What keeps a text from being such a name. */
  static Optional<String> fault(String text) {
    if (text.contains(":") || looksLikeIpv4(text)) {
      return Optional.of("is an IP address, or looks like one; give a host name");
    }
    if (text.length() > MAX_LENGTH) {
      return Optional.of("is longer than 253 characters");
    }
    String[] labels = text.split("\\.", -1);
    for (String label : labels) {
      if (!LABEL.matcher(label).matches()) {
        return Optional.of(
            "is not a host name: labels of letters, digits and inner dashes, joined by dots");
      }
    }
    return labels.length < 2
        ? Optional.of("is a single label; give a name such as www.example.org")
        : Optional.empty();
  }

  /** Browsers take a name whose last label is a number for an address, in all its odd forms. */
  private static boolean looksLikeIpv4(String text) {
    return LAST_IS_NUMBER.matcher(text).matches();
  }

  /** Where a TXT record says whose the name is. */
  public String challenge() {
    return "_slipway-challenge." + value;
  }

  /** Whether it is that name or lies below it. */
  boolean isWithin(String domain) {
    return value.equals(domain) || value.endsWith("." + domain);
  }

  @Override
  public String toString() {
    return value;
  }
}
