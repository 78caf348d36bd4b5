package dev.slipway.source.git;

import dev.slipway.core.RawPath;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.Config;

/**
 * What {@code .gitmodules} says of where submodules come from. It is anybody's text: its paths are
 * compared with those of the commit and never used, its addresses are looked up in the list of
 * configured hosts.
 *
 * @param addresses by path, as {@link RawPath} writes it
 */
record GitModules(Map<String, String> addresses) {
  private static final String SECTION = "submodule";

  /** Of a text that is malformed nothing is taken. */
  static GitModules parse(String text) {
    Config config = new Config();
    try {
      config.fromText(text);
    } catch (ConfigInvalidException e) {
      return new GitModules(Map.of());
    }
    Map<String, String> addresses = new HashMap<>();
    for (String name : config.getSubsections(SECTION)) {
      String path = config.getString(SECTION, name, "path");
      String address = config.getString(SECTION, name, "url");
      if (path != null && address != null) {
        addresses.put(RawPath.encode(path.getBytes(StandardCharsets.UTF_8)), address);
      }
    }
    return new GitModules(addresses);
  }

  Optional<String> address(String path) {
    return Optional.ofNullable(addresses.get(path));
  }
}
