package dev.slipway.framework.node;

import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.Tool;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What builds an application and does not run on Node 17 and later: webpack, before its version
 * 4.47 and in parts of 5, asks OpenSSL for a hash (MD4) that OpenSSL 3 does not give any more.
 *
 * @param version that is installed, as far as that is known
 */
record OldBundler(String name, String version) {
  private static final Pattern MAJOR = Pattern.compile("[~^=v]{0,2}\\s*(\\d{1,4})(?:\\..*)?");
  private static final Pattern MINOR = Pattern.compile("\\d+\\.(\\d{1,6})\\..*");

  /** The last one of webpack 4 that lacks a hash of its own. */
  private static final int LAST_MINOR = 46;

  /**
   * A package that builds applications.
   *
   * @param fixed the first major version that runs
   * @param pinned whether it brings one webpack along, or any of a range
   */
  private record Kind(String name, int fixed, boolean pinned) {}

  private static Stream<Kind> kinds() {
    return Stream.of(
        new Kind("next", 12, true),
        new Kind("react-scripts", 5, true),
        new Kind("@angular-devkit/build-angular", 13, true),
        new Kind("@vue/cli-service", 5, false),
        new Kind("gatsby", 3, false),
        new Kind("nuxt", 3, false));
  }

  /**
   * @param lockfile empty where there is none
   */
  static Optional<OldBundler> of(PackageJson manifest, Locked lockfile) {
    return manifest.has("vite")
        ? Optional.empty()
        : kinds()
            .filter(kind -> manifest.has(kind.name()))
            .filter(kind -> kind.pinned() || hasOldWebpack(lockfile))
            .flatMap(kind -> old(kind, manifest, lockfile).stream())
            .findFirst();
  }

  private static Optional<OldBundler> old(Kind kind, PackageJson manifest, Locked lockfile) {
    String asked = manifest.packages().getOrDefault(kind.name(), "");
    return lockfile
        .version(kind.name())
        .or(() -> Optional.of(asked))
        .filter(version -> major(version).filter(it -> it < kind.fixed()).isPresent())
        .map(version -> new OldBundler(kind.name(), version));
  }

  private static boolean hasOldWebpack(Locked lockfile) {
    return lockfile
        .version("webpack")
        .filter(version -> version.startsWith("4."))
        .map(MINOR::matcher)
        .filter(Matcher::matches)
        .filter(match -> Integer.parseInt(match.group(1)) <= LAST_MINOR)
        .isPresent();
  }

  static Optional<Integer> major(String version) {
    return Optional.of(MAJOR.matcher(version))
        .filter(Matcher::matches)
        .map(match -> Integer.parseInt(match.group(1)));
  }

  /** Where the plan leaves it open: a Node that it runs on, if all else of the plan does too. */
  BuildPlan suited(BuildPlan plan) {
    Optional<Tool> node = plan.tools().stream().filter(it -> it.name().equals("node")).findFirst();
    Optional<String> range = node.flatMap(it -> OldNode.within(it.range()));
    if (range.isEmpty() || !plan.tools().stream().allMatch(OldNode::runs)) {
      return plan;
    }
    return plan.withTools(
            plan.tools().stream()
                .map(it -> it.name().equals("node") ? new Tool("node", range.get()) : it)
                .toList())
        .withFindings(
            Stream.concat(
                    Stream.of(
                        new Finding(
                            true,
                            "%s %s does not build on Node 17 and later, so Node 16 is used. Move to a newer version of it, or say in engines.node which Node it needs."
                                .formatted(name, version))),
                    plan.findings().stream())
                .toList());
  }
}
