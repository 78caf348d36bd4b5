package dev.slipway.build;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Those of the user's variables that decide what an install brings: the ones that package managers
 * and the install scripts of widely used packages read.
 */
final class InstallVariables {
  private static final Pattern NAMES =
      Pattern.compile(
          "(NPM|YARN|PNPM|BUN|COREPACK|PIP|UV|POETRY|NODE|PYTHON|PRISMA|PUPPETEER|PLAYWRIGHT|CYPRESS"
              + "|SHARP|ELECTRON|SENTRYCLI|HUSKY|CARGO|RUST)_.*"
              + "|CC|CXX|C(XX|PP)?FLAGS|LDFLAGS|PATH|CI|HTTPS?_PROXY|ALL_PROXY|NO_PROXY"
              + "|.*_(SKIP|BINARY|MIRROR|CDN|REGISTRY|INDEX)(_.*)?|SKIP_.*|.*DOWNLOAD.*");

  private static final Pattern MENTION = Pattern.compile("\\$\\{?([A-Za-z_][A-Za-z0-9_]*)[}:?-]?");

  private InstallVariables() {}

  /**
   * @param env the user's
   * @param configuration texts of files such as {@code .npmrc}: what they mention is read too
   */
  static Map<String, String> of(Map<String, String> env, Iterable<String> configuration) {
    Map<String, String> found = new TreeMap<>();
    env.forEach((name, value) -> {
      if (NAMES.matcher(name.toUpperCase(Locale.ROOT)).matches()) {
        found.put(name, value);
      }
    });
    for (String text : configuration) {
      Matcher mention = MENTION.matcher(text);
      while (mention.find()) {
        String value = env.get(mention.group(1));
        if (value != null) {
          found.put(mention.group(1), value);
        }
      }
    }
    return found;
  }
}
