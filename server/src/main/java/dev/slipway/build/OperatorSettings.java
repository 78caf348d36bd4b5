package dev.slipway.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How this machine reaches package registries: builds need it, though the rest of the server's
 * environment is hidden from them. Nothing that carries a credential of a registry is passed on.
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

  /** Directories of this machine, which a program in a sandbox does not have. */
  private static final Pattern PLACE =
      Pattern.compile(
          "(cache|cache[-_]dir|prefix|userconfig|globalconfig|logs[-_]dir|config_file|tmp)$",
          Pattern.CASE_INSENSITIVE);

  public OperatorSettings {
    env = Map.copyOf(env);
    files = List.copyOf(files);
  }

  /**
   * @param serverEnv the server's own environment
   * @param home of the server's user
   */
  public static OperatorSettings of(Map<String, String> serverEnv, Path home) {
    Map<String, String> env = new TreeMap<>();
    serverEnv.forEach((name, value) -> {
      if (concernsRegistries(name) && isSharable(name)) {
        env.put(name, value);
      }
    });
    List<Path> files = new ArrayList<>();
    env.forEach((name, value) -> {
      if (CERTIFICATES.contains(name.toUpperCase(Locale.ROOT))) {
        addUnlessShown(value, files);
      }
    });
    String npmrc = npmrc(home.resolve(".npmrc"));
    npmrc
        .lines()
        .filter(line -> line.startsWith("cafile="))
        .forEach(line -> addUnlessShown(line.substring("cafile=".length()), files));
    return new OperatorSettings(env, npmrc, files);
  }

  private static boolean concernsRegistries(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return NAMES.contains(upper) || PREFIXES.stream().anyMatch(upper::startsWith);
  }

  private static boolean isSharable(String key) {
    return !CREDENTIAL.matcher(key).find() && !PLACE.matcher(key).find();
  }

  private static void addUnlessShown(String value, List<Path> files) {
    Path path = Path.of(value.strip());
    if (path.isAbsolute() && Files.exists(path) && SHOWN.stream().noneMatch(path::startsWith)) {
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
    boolean login = line.matches(".*://[^/\\s]*@.*");
    return equals > 0 && isSharable(line.substring(0, equals).strip()) && !login;
  }
}
