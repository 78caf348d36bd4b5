package dev.slipway.framework.node;

import java.util.List;
import java.util.Map;

/**
 * A package manager, by how it is spoken to. Yarn is two: 1, and 2 and later.
 *
 * @param program its name, as a tool and in {@code packageManager}
 * @param exec what stands before the name of an installed program
 * @param env variables of its steps
 */
record Manager(
    String program,
    List<String> lockfiles,
    Frozen frozen,
    Plain plain,
    List<String> exec,
    Map<String, String> env) {
  static final Manager NPM =
      new Manager(
          "npm",
          List.of("package-lock.json", "npm-shrinkwrap.json"),
          // What the lockfile names by its checksum and the cache holds is not asked for again.
          new Frozen(words("ci --prefer-offline"), "EUSAGE"),
          new Plain(words("install"), "--include=dev", "--omit=dev"),
          words("exec --no --"),
          Map.of(
              "NPM_CONFIG_AUDIT", "false",
              "NPM_CONFIG_FUND", "false",
              "NPM_CONFIG_UPDATE_NOTIFIER", "false",
              "NPM_CONFIG_PROGRESS", "false"));

  static final Manager PNPM =
      new Manager(
          "pnpm",
          List.of("pnpm-lock.yaml"),
          new Frozen(words("install --frozen-lockfile"), "ERR_PNPM_OUTDATED_LOCKFILE"),
          new Plain(words("install --no-frozen-lockfile"), "--prod=false", "--prod"),
          words("exec"),
          Map.of("COREPACK_ENABLE_STRICT", "0"));

  static final Manager YARN =
      new Manager(
          "yarn",
          List.of("yarn.lock"),
          new Frozen(
              words("install --frozen-lockfile --no-progress --non-interactive --ignore-engines"),
              "Your lockfile needs to be updated"),
          new Plain(
              words("install --no-progress --non-interactive --ignore-engines"),
              "--production=false",
              "--production"),
          words("run"),
          Map.of("YARN_IGNORE_PATH", "1", "SKIP_YARN_COREPACK_CHECK", "1"));

  static final Manager BERRY =
      new Manager(
          "yarn",
          List.of("yarn.lock"),
          new Frozen(words("install --immutable"), "YN0028"),
          new Plain(words("install --no-immutable"), "", ""),
          words("run"),
          // Programs are started by Node itself, which knows node_modules and not Plug'n'Play.
          Map.of(
              "YARN_NODE_LINKER", "node-modules",
              "YARN_IGNORE_PATH", "1",
              "YARN_ENABLE_TELEMETRY", "0",
              "YARN_ENABLE_PROGRESS_BARS", "false"));

  static final Manager BUN =
      new Manager(
          "bun",
          List.of("bun.lock", "bun.lockb"),
          new Frozen(words("install --frozen-lockfile"), "lockfile is frozen"),
          new Plain(words("install"), "", "--production"),
          words("run"),
          Map.of());

  /**
   * Berry is left out, as its lockfile and its program have the names that those of Yarn 1 have.
   */
  static final List<Manager> NAMED = List.of(NPM, PNPM, YARN, BUN);

  /**
   * The install that takes just what the lockfile says.
   *
   * @param sign what it prints where the lockfile does not fit the manifest
   */
  record Frozen(List<String> words, String sign) {}

  /**
   * The install that settles versions itself.
   *
   * @param all the flag for development packages as well, whatever NODE_ENV says; may be empty
   * @param production the flag for all but those; may be empty, where it cannot be done
   */
  record Plain(List<String> words, String all, String production) {}

  private static List<String> words(String line) {
    return List.of(line.split(" ", -1));
  }
}
