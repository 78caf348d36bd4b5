package dev.slipway.config;

import dev.slipway.core.Secret;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The kinds of values that the configuration knows. */
final class Kinds {
  private static final Pattern DURATION_TEXT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final Pattern SIZE_TEXT = Pattern.compile("(\\d{1,9})(B|KiB|MiB|GiB|TiB)");
  private static final Pattern RANGE_TEXT = Pattern.compile("(\\d{1,5})-(\\d{1,5})");
  private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
  private static final Pattern HOST_TEXT = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
  private static final Pattern NETWORK_TEXT = Pattern.compile("[0-9a-fA-F.:]+(/\\d{1,3})?");
  private static final Pattern DNS_SERVER_TEXT =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([0-9.]+))(?::(\\d{1,5}))?");
  private static final Pattern EMAIL_TEXT = Pattern.compile("[^@\\s]+@[^@\\s]+");
  private static final Pattern NAME_TEXT = Pattern.compile("[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?");

  static final Kind<String> TEXT = Kind.text("text", text -> nonEmpty(text));
  static final Kind<Secret> SECRET = Kind.secret("text", text -> nonEmpty(text).map(Secret::new));
  static final Kind<Secret> LONG_SECRET =
      Kind.secret(
          "text of 32 characters or more",
          text -> nonEmpty(text).filter(it -> it.length() >= 32).map(Secret::new));
  static final Kind<Boolean> FLAG =
      Kind.of(
          "true or false",
          text ->
              switch (text) {
                case "true" -> Optional.of(true);
                case "false" -> Optional.of(false);
                default -> Optional.empty();
              });
  static final Kind<Integer> PORT = wholeNumber(1, 65_535);
  static final Kind<Integer> COUNT = wholeNumber(1, Integer.MAX_VALUE);
  // What the contract allows at most.
  static final Kind<Integer> INSTANCES = wholeNumber(1, 50);
  static final Kind<Integer> MEMORY_MB = wholeNumber(16, Integer.MAX_VALUE);
  static final Kind<Role> ROLE = oneOf(Role.class);
  static final Kind<Double> CPUS =
      Kind.of("a number above 0, such as 0.5", text -> decimal(text).filter(it -> it > 0));
  static final Kind<Duration> DURATION =
      Kind.of("a time above 0 such as 500ms, 30s, 15m, 1h or 7d", Kinds::duration);
  static final Kind<Duration> DURATION_OR_NONE =
      Kind.of(
          "a time such as 30d, or 0s for none",
          text -> text.equals("0s") ? Optional.of(Duration.ZERO) : duration(text));
  static final Kind<Long> SIZE =
      Kind.of("a size above 0 such as 512KiB, 1MiB or 2GiB", Kinds::size);
  static final Kind<PortRange> PORT_RANGE =
      Kind.of("a range of ports such as 21000-28999", Kinds::portRange);
  static final Kind<Path> PATH = Kind.text("a path", Kinds::path);
  static final Kind<String> HOST_NAME = Kind.text("a host name in lower case", matching(HOST_TEXT));
  static final Kind<String> NAME = Kind.text("a name of a-z, 0-9, - and _", matching(NAME_TEXT));
  static final Kind<String> NETWORK =
      Kind.text("an address or a network such as 10.0.0.0/8", matching(NETWORK_TEXT));
  static final Kind<InetSocketAddress> DNS_SERVER =
      Kind.text(
          "an IP address, with a port where it is not 53, such as 192.0.2.53, 127.0.0.1:5353 or [::1]",
          Kinds::dnsServer);
  static final Kind<String> EMAIL = Kind.text("an e-mail address", matching(EMAIL_TEXT));
  static final Kind<URI> WEB_ADDRESS =
      Kind.text("an address such as https://example.org", text -> url(text, "http", "https"));
  static final Kind<String> ORIGIN =
      Kind.text(
          "an origin such as https://example.org, or *",
          text -> text.equals("*") ? Optional.of(text) : origin(text));
  static final Kind<URI> REPOSITORY_ADDRESS =
      Kind.text(
          "an address that begins with http://, https:// or file:/// and holds no password",
          Kinds::repositoryAddress);
  static final Kind<GitApi> GIT_API = oneOf(GitApi.class);
  static final Kind<URI> API_ADDRESS =
      Kind.text(
          "an address such as https://git.example.org/api/v4", text -> url(text, "http", "https"));
  static final Kind<String> REPOSITORY_KIND =
      Kind.text(
          "a name of a-z, 0-9, - and _ other than zip",
          text -> matching(NAME_TEXT).apply(text).filter(Predicate.not("zip"::equals)));

  private Kinds() {}

  static Kind<Integer> wholeNumber(int least, int most) {
    String range =
        most == Integer.MAX_VALUE
            ? "of %d or more".formatted(least)
            : "from %d to %d".formatted(least, most);
    return Kind.of(
        "a number " + range, text -> integer(text).filter(it -> it >= least && it <= most));
  }

  static Kind<String> jdbcUrl(String... schemes) {
    String expected =
        Arrays.stream(schemes).map("%s…"::formatted).collect(Collectors.joining(" or "));
    // A JDBC URL may carry a password among its parameters.
    return Kind.secret(
        expected,
        text -> nonEmpty(text).filter(it -> Arrays.stream(schemes).anyMatch(it::startsWith)));
  }

  /** The constants in lower case. */
  static <E extends Enum<E>> Kind<E> oneOf(Class<E> type) {
    List<E> constants = List.of(type.getEnumConstants());
    String names = constants.stream().map(Kinds::lowerCase).collect(Collectors.joining(", "));
    return Kind.of(
        "one of " + names,
        text -> constants.stream().filter(it -> lowerCase(it).equals(text)).findFirst());
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static Optional<String> nonEmpty(String text) {
    return Optional.of(text).filter(Predicate.not(String::isBlank));
  }

  private static Function<String, Optional<String>> matching(Pattern pattern) {
    return text -> Optional.of(text).filter(it -> pattern.matcher(it).matches());
  }

  private static Optional<Integer> integer(String text) {
    try {
      return Optional.of(Integer.valueOf(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Double> decimal(String text) {
    try {
      return Optional.of(Double.valueOf(text)).filter(it -> Double.isFinite(it));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Duration> duration(String text) {
    Matcher matcher = DURATION_TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    Duration duration =
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          case "h" -> Duration.ofHours(number);
          default -> Duration.ofDays(number);
        };
    return Optional.of(duration).filter(Duration::isPositive);
  }

  private static Optional<Long> size(String text) {
    Matcher matcher = SIZE_TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int shift =
        switch (matcher.group(2)) {
          case "B" -> 0;
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          default -> 40;
        };
    long number = Long.parseLong(matcher.group(1));
    return Optional.of(number << shift).filter(it -> it > 0 && it >> shift == number);
  }

  private static Optional<PortRange> portRange(String text) {
    Matcher matcher = RANGE_TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int first = Integer.parseInt(matcher.group(1));
    int last = Integer.parseInt(matcher.group(2));
    return first >= 1 && first <= last && last <= 65_535
        ? Optional.of(new PortRange(first, last))
        : Optional.empty();
  }

  private static Optional<InetSocketAddress> dnsServer(String text) {
    Matcher matcher = DNS_SERVER_TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String address = Optional.ofNullable(matcher.group(1)).orElse(matcher.group(2));
    int port = Integer.parseInt(Optional.ofNullable(matcher.group(3)).orElse("53"));
    try {
      return Optional.of(new InetSocketAddress(InetAddress.ofLiteral(address), port));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<Path> path(String text) {
    try {
      return nonEmpty(text).map(it -> Path.of(it).toAbsolutePath().normalize());
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Optional<URI> url(String text, String... schemes) {
    return uri(text)
        .filter(it -> it.getScheme() != null && Set.of(schemes).contains(it.getScheme()))
        .filter(it -> it.getHost() != null && it.getRawUserInfo() == null);
  }

  private static Optional<String> origin(String text) {
    return url(text, "http", "https")
        .filter(it -> it.getRawPath().isEmpty() && it.getRawQuery() == null)
        .map(URI::toString);
  }

  private static Optional<URI> repositoryAddress(String text) {
    return text.startsWith("file:///") ? uri(text) : url(text, "http", "https");
  }

  /** Without the slashes at its end, so that a path can be put after it. */
  private static Optional<URI> uri(String text) {
    try {
      return Optional.of(new URI(text.replaceFirst("(?<=[^/])/+$", "")));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
