package dev.slipway.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How this machine reaches package registries: builds need it, though the rest of the server's
 * environment is hidden from them. Nothing that carries a credential of a registry is passed on.
 * What npm and pip are told is said to the other package managers in their own words.
 *
 * @param env variables for every step
 * @param npmrc the npm configuration of the server's user
 * @param files certificates that the variables name, where a sandbox would not show them
 */
public record OperatorSettings(Map<String, String> env, String npmrc, List<Path> files) {
  public static final OperatorSettings NONE = new OperatorSettings(Map.of(), "", List.of());

  private static final Set<String> NAMES =
      Set.of(
          "HTTP_PROXY",
          "HTTPS_PROXY",
          "ALL_PROXY",
          "NO_PROXY",
          "NODE_EXTRA_CA_CERTS",
          "SSL_CERT_FILE",
          "SSL_CERT_DIR",
          "REQUESTS_CA_BUNDLE",
          "CURL_CA_BUNDLE");
  private static final List<String> PREFIXES = List.of("NPM_CONFIG_", "PIP_", "UV_");
  private static final Set<String> CERTIFICATES =
      Set.of(
          "NODE_EXTRA_CA_CERTS",
          "SSL_CERT_FILE",
          "SSL_CERT_DIR",
          "REQUESTS_CA_BUNDLE",
          "CURL_CA_BUNDLE",
          "NPM_CONFIG_CAFILE",
          "PIP_CERT");

  /** Places of every sandbox. */
  private static final List<Path> SHOWN =
      Stream.of("/usr", "/etc/ssl", "/etc/pki", "/etc/ca-certificates").map(Path::of).toList();

  private static final Pattern CREDENTIAL =
      Pattern.compile(
          "auth|token|password|passwd|username|secret|(^|[_:])(key|cert|keyfile|certfile)$",
          Pattern.CASE_INSENSITIVE);

  /** Where files lie instead of on a registry: a path, or an address of one. */
  private static final Pattern FIND_LINKS =
      Pattern.compile("find[-_]links$", Pattern.CASE_INSENSITIVE);

  private static final Pattern LOGIN = Pattern.compile("://[^/\\s]*@");

  /** Directories of this machine, which a program in a sandbox does not have. */
  private static final Pattern PLACE =
      Pattern.compile(
          "(cache|cache[-_]dir|prefix|userconfig|globalconfig|logs[-_]dir|config_file|tmp)$",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern HOST =
      Pattern.compile("://(?:[^/@\\s]*@)?([A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+])");

  public OperatorSettings {
    env = Map.copyOf(env);
    files = List.copyOf(files);
  }

  /**
   * @param serverEnv the server's own environment
   * @param home of the server's user
   */
  public static OperatorSettings of(Map<String, String> serverEnv, Path home) {
    return of(serverEnv, home, Path.of("/etc"));
  }

  static OperatorSettings of(Map<String, String> serverEnv, Path home, Path etc) {
    Map<String, String> all = PipConfiguration.of(etc, home);
    all.putAll(serverEnv);
    Map<String, String> env = new TreeMap<>();
    all.forEach((name, value) -> {
      if (concernsRegistries(name) && isSharable(name) && isSharable(name, value)) {
        env.put(name, value);
      }
    });
    String npmrc = npmrc(home.resolve(".npmrc"));
    env.putAll(OtherManagers.variables(env, npmrc));
    List<Path> files = new ArrayList<>();
    env.forEach((name, value) -> {
      if (CERTIFICATES.contains(name.toUpperCase(Locale.ROOT))) {
        addUnlessShown(value, files);
      }
    });
    npmrc
        .lines()
        .filter(line -> line.startsWith("cafile="))
        .forEach(line -> addUnlessShown(line.substring("cafile=".length()), files));
    return new OperatorSettings(env, npmrc, files);
  }

  /**
   * A proxy or registry of these settings that is on this very machine; builds must be let to this
   * machine's own addresses then. Asks for the names of hosts, so may block.
   */
  public Optional<String> onThisMachine() {
    return Stream.concat(env.entrySet().stream().map(OperatorSettings::address), npmrc.lines())
        .flatMap(text -> HOST.matcher(text).results())
        .map(found -> found.group(1))
        .distinct()
        .filter(OperatorSettings::isThisMachine)
        .findFirst();
  }

  /** A proxy may be given without a scheme. */
  private static String address(Map.Entry<String, String> variable) {
    String name = variable.getKey().toUpperCase(Locale.ROOT);
    boolean proxy = name.endsWith("_PROXY") && !name.equals("NO_PROXY");
    return proxy && !variable.getValue().contains("://")
        ? "http://" + variable.getValue()
        : variable.getValue();
  }

  private static boolean isThisMachine(String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress()
          || address.isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (UnknownHostException | SocketException unknown) {
      return false;
    }
  }

  private static boolean concernsRegistries(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return NAMES.contains(upper) || isOfManager(upper);
  }

  private static boolean isOfManager(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return PREFIXES.stream().anyMatch(upper::startsWith);
  }

  /** A registry's address may hold its password, and a path may lead to where a build sees none. */
  private static boolean isSharable(String name, String value) {
    boolean login = isOfManager(name) && LOGIN.matcher(value).find();
    boolean elsewhere =
        FIND_LINKS.matcher(name).find()
            && Stream.of(value.strip().split("\\s+"))
                .anyMatch(place ->
                    !place.startsWith("http")
                        && SHOWN.stream().noneMatch(Path.of(place)::startsWith));
    return !login && !elsewhere;
  }

  private static boolean isSharable(String key) {
    return !CREDENTIAL.matcher(key).find() && !PLACE.matcher(key).find();
  }

  private static void addUnlessShown(String value, List<Path> files) {
    Path path = Path.of(value.strip());
    if (path.isAbsolute()
        && Files.exists(path)
        && SHOWN.stream().noneMatch(path::startsWith)
        && !files.contains(path)) {
      files.add(path);
    }
  }

  private static String npmrc(Path file) {
    if (!Files.isReadable(file)) {
      return "";
    }
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines.filter(OperatorSettings::isSharableLine).collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + file + " failed", e);
    }
  }

  private static boolean isSharableLine(String line) {
    int equals = line.indexOf('=');
    boolean login = LOGIN.matcher(line).find();
    return equals > 0 && isSharable(line.substring(0, equals).strip()) && !login;
  }
}
