package dev.slipway.api;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a client calls the file that it sends: {@code Content-Disposition}, RFC 6266. */
final class FileName {
  static final String HEADER = "Content-Disposition";
  private static final int MOST_CHARACTERS = 200;
  private static final Pattern EXTENDED =
      Pattern.compile("(?i);\\s*filename\\*\\s*=\\s*utf-8'[^']*'([^\\s;]+)");
  private static final Pattern QUOTED =
      Pattern.compile("(?i);\\s*filename\\s*=\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern PLAIN = Pattern.compile("(?i);\\s*filename\\s*=\\s*([^\\s;\"]+)");

  private FileName() {}

  /** Its last part, without what no name should hold; absent where nothing is left of it. */
  static Optional<String> of(Optional<String> header) {
    return header
        .flatMap(FileName::given)
        .map(name -> name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1))
        .map(name -> name.replaceAll("[\\p{Cntrl}\\p{Cs}\uFFFD]", "").strip())
        .map(name ->
            name.length() <= MOST_CHARACTERS ? name : name.substring(0, MOST_CHARACTERS).strip())
        .filter(name -> !name.isEmpty());
  }

  private static Optional<String> given(String header) {
    Matcher extended = EXTENDED.matcher(header);
    if (extended.find()) {
      Optional<String> decoded = decoded(extended.group(1));
      if (decoded.isPresent()) {
        return decoded;
      }
    }
    Matcher quoted = QUOTED.matcher(header);
    if (quoted.find()) {
      return Optional.of(quoted.group(1).replaceAll("\\\\(.)", "$1"));
    }
    Matcher plain = PLAIN.matcher(header);
    return plain.find() ? Optional.of(plain.group(1)) : Optional.empty();
  }

  private static Optional<String> decoded(String escaped) {
    try {
      // A plus stands for itself here.
      return Optional.of(URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}
