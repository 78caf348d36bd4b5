package dev.slipway.tool;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Node itself and all its package managers, as packages of npm; npm knows how to get them. */
final class NpmRegistry implements ToolSource {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Map<String, String> SETTINGS =
      Map.of(
          "NPM_CONFIG_AUDIT", "false",
          "NPM_CONFIG_FUND", "false",
          "NPM_CONFIG_UPDATE_NOTIFIER", "false",
          "NPM_CONFIG_PROGRESS", "false",
          "NPM_CONFIG_FETCH_RETRIES", "1",
          "NPM_CONFIG_FETCH_TIMEOUT", "60000");

  /** What npm says when the registry answered and has no such thing. */
  private static final List<String> NO_SUCH_VERSION = List.of("ETARGET", "E404");

  private final ToolRuns runs;
  private final Machine machine;

  NpmRegistry(ToolRuns runs, Machine machine) {
    this.runs = runs;
    this.machine = machine;
  }

  @Override
  public Fetched fetch(String name, VersionRange range, Path workplace)
      throws InterruptedException {
    String module = module(name, range);
    ToolRuns.Answer answer =
        runs.run(
            workplace,
            List.of(
                "npm",
                "install",
                "--prefix=.",
                "--ignore-scripts",
                "--no-save",
                "--no-package-lock",
                "--engine-strict=false",
                module + "@" + range.forNpm()),
            SETTINGS,
            Provision.NOTHING,
            LIMIT);
    if (!answer.succeeded()) {
      return NO_SUCH_VERSION.stream().anyMatch(answer::mentions)
          ? new Fetched.NoSuchVersion()
          : new Fetched.Unreachable("npm: " + why(answer.lines()));
    }
    if (name.equals("pnpm")) {
      finish(workplace, module);
    }
    return complete(name, workplace, workplace.resolve("node_modules").resolve(module));
  }

  /**
   * Since its version 12 pnpm is a program for this machine, which its install script puts there.
   */
  private void finish(Path workplace, String module) throws InterruptedException {
    String script = "node_modules/" + module + "/install.js";
    if (Files.exists(workplace.resolve(script))) {
      runs.run(workplace, List.of("node", script), SETTINGS, Provision.NOTHING, LIMIT);
    }
  }

  private String module(String name, VersionRange range) {
    return switch (name) {
      case "node" -> "node-linux-" + machine.arm("arm64", "x64");
      case "bun" ->
          "@oven/bun-linux-" + machine.arm("aarch64", machine.avx2("x64", "x64-baseline"));
      // Its first version has another name than all later ones.
      case "yarn" -> range.and(VersionRange.major(1)).possible() ? "yarn" : "@yarnpkg/cli-dist";
      default -> name;
    };
  }

  private static Fetched complete(String name, Path workplace, Path module) {
    try {
      String version =
          JSON.readTree(module.resolve("package.json").toFile()).path("version").asText();
      Path bin = workplace.resolve("bin");
      if (Files.isDirectory(workplace.resolve("node_modules/.bin"))) {
        Files.createSymbolicLink(bin, Path.of("node_modules/.bin"));
      } else if (name.equals("bun")) { // which names no programs in its manifest
        Files.createDirectory(bin);
        Path bun = bin.relativize(module.resolve("bin/bun"));
        for (String link : List.of("bun", "bunx")) {
          Files.createSymbolicLink(bin.resolve(link), bun);
        }
      }
      return new Fetched.Complete(Version.parse(version).orElseThrow(), workplace, List.of());
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + module + " failed", e);
    }
  }

  /** Of npm's complaint the line that tells most. */
  private static String why(List<String> lines) {
    List<String> errors = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("npm error ") && !line.startsWith("npm error code")) {
        errors.add(line.substring("npm error ".length()));
      }
    }
    return errors.stream()
        .filter(line -> line.contains("reason:"))
        .findFirst()
        .or(() -> errors.stream().findFirst())
        .or(() -> lines.stream().reduce((_, last) -> last))
        .orElse("it ended without a word");
  }
}
