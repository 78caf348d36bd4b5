package dev.slipway.tool;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The same settings for package managers that read neither npm's nor pip's.
 *
 * <p>Only names that every version of yarn since its second knows: it refuses to run where a
 * variable that begins with {@code YARN_} is unknown to it.
 */
final class OtherManagers {
  private static final Pattern NPMRC_LINE = Pattern.compile("(?m)^\\s*(\\S+?)\\s*=\\s*(.+?)\\s*$");

  private final Map<String, String> given;
  private final Map<String, String> npm;
  private final Map<String, String> derived = new LinkedHashMap<>();

  private OtherManagers(Map<String, String> given, String npmrc) {
    this.given = given;
    this.npm = new LinkedHashMap<>();
    Matcher line = NPMRC_LINE.matcher(npmrc);
    while (line.find()) {
      npm.put(line.group(1), line.group(2));
    }
  }

  /** What is to be added to these variables; nothing that is among them. */
  static Map<String, String> variables(Map<String, String> given, String npmrc) {
    return new OtherManagers(given, npmrc).derive();
  }

  private Map<String, String> derive() {
    Optional<String> registry = npm("registry");
    add("YARN_NPM_REGISTRY_SERVER", registry.map(OtherManagers::withoutSlash));
    add("BUN_CONFIG_REGISTRY", registry);
    add("YARN_HTTP_PROXY", variable("HTTP_PROXY").or(() -> npm("proxy")));
    add("YARN_HTTPS_PROXY", variable("HTTPS_PROXY").or(() -> npm("https-proxy")));
    add("YARN_ENABLE_STRICT_SSL", npm("strict-ssl").filter("false"::equals));
    add("NODE_EXTRA_CA_CERTS", npm("cafile"));
    if (variable("UV_INDEX_URL").isEmpty()) { // its older name
      add("UV_DEFAULT_INDEX", variable("PIP_INDEX_URL"));
    }
    if (variable("UV_EXTRA_INDEX_URL").isEmpty()) {
      add("UV_INDEX", variable("PIP_EXTRA_INDEX_URL"));
    }
    add("UV_INSECURE_HOST", variable("PIP_TRUSTED_HOST"));
    // Poetry and uv know no certificate of pip's.
    add("SSL_CERT_FILE", variable("PIP_CERT"));
    add("REQUESTS_CA_BUNDLE", variable("PIP_CERT"));
    return derived;
  }

  private Optional<String> npm(String key) {
    return variable("NPM_CONFIG_" + key.replace('-', '_'))
        .or(() -> Optional.ofNullable(npm.get(key)));
  }

  /** Its name in capitals or not, as these programs have it. */
  private Optional<String> variable(String name) {
    return Optional.ofNullable(given.get(name.toUpperCase(Locale.ROOT)))
        .or(() -> Optional.ofNullable(given.get(name.toLowerCase(Locale.ROOT))))
        .filter(value -> !value.isBlank());
  }

  private void add(String name, Optional<String> value) {
    if (variable(name).isEmpty()) {
      value.ifPresent(text -> derived.put(name, text));
    }
  }

  private static String withoutSlash(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }
}
