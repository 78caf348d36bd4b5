package dev.slipway.framework.node;

import dev.slipway.framework.BuildPlan.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out which package manager an application is made for: its word first, then its files. */
final class PackageManagers {
  private static final Pattern DECLARED =
      Pattern.compile("(npm|pnpm|yarn|bun)@v?(\\d+\\.\\d+\\.\\d+[0-9A-Za-z.-]*)(?:\\+.*)?");
  private static final Pattern ONLY_ALLOW = Pattern.compile("only-allow\\s+(npm|pnpm|yarn|bun)\\b");

  private final Place root;
  private final PackageJson manifest;
  private final List<Finding> findings = new ArrayList<>();

  private PackageManagers(Place root, PackageJson manifest) {
    this.root = root;
    this.manifest = manifest;
  }

  /**
   * @param root where the install runs
   */
  static PackageManager of(Place root, PackageJson manifest) {
    return new PackageManagers(root, manifest).find();
  }

  private PackageManager find() {
    Optional<Matcher> declared = declared();
    List<String> lockfiles = lockfiles();
    Optional<String> wanted =
        declared.map(match -> match.group(1)).or(this::allowedAlone).or(this::ofWorkspaceFile);
    Optional<String> lockfile = choose(lockfiles, wanted);
    String program =
        lockfile.map(PackageManagers::program).or(() -> wanted).orElse(Manager.NPM.program());
    Optional<String> exact =
        declared.filter(match -> match.group(1).equals(program)).map(match -> match.group(2));
    return switch (program) {
      case "pnpm" -> manager(Manager.PNPM, exact.orElseGet(() -> pnpmRange(lockfile)), lockfile);
      case "yarn" -> yarn(exact, lockfile);
      case "bun" -> manager(Manager.BUN, exact.orElse(""), lockfile);
      default -> manager(Manager.NPM, exact.orElse(""), lockfile);
    };
  }

  private PackageManager manager(Manager kind, String range, Optional<String> lockfile) {
    return new PackageManager(kind, range, Optional.empty(), lockfile, findings);
  }

  private Optional<Matcher> declared() {
    return manifest.text("packageManager").map(DECLARED::matcher).filter(Matcher::matches);
  }

  private Optional<String> allowedAlone() {
    return manifest
        .script("preinstall")
        .map(ONLY_ALLOW::matcher)
        .filter(Matcher::find)
        .map(match -> match.group(1));
  }

  private Optional<String> ofWorkspaceFile() {
    return root.hasFile(Workspace.PNPM_FILE)
        ? Optional.of(Manager.PNPM.program())
        : Optional.empty();
  }

  private List<String> lockfiles() {
    return Manager.NAMED.stream().flatMap(kind -> root.firstOf(kind.lockfiles()).stream()).toList();
  }

  private static String program(String lockfile) {
    return Manager.NAMED.stream()
        .filter(kind -> kind.lockfiles().contains(lockfile))
        .findFirst()
        .orElseThrow()
        .program();
  }

  /** The lockfile that counts, of those that there are. */
  private Optional<String> choose(List<String> lockfiles, Optional<String> wanted) {
    Optional<String> own =
        lockfiles.stream().filter(file -> wanted.equals(Optional.of(program(file)))).findFirst();
    if (own.isPresent()) {
      return own;
    }
    Optional<String> best = lockfiles.stream().max(Comparator.comparingLong(this::known));
    if (best.isPresent() && wanted.isPresent()) {
      findings.add(
          new Finding(
              true,
              "package.json asks for %s, but the only lockfile is %s, so %s is used. Commit one lockfile, of the package manager that package.json names."
                  .formatted(wanted.get(), best.get(), program(best.get()))));
    } else if (lockfiles.size() > 1) {
      findings.add(
          new Finding(
              true,
              "There are several lockfiles (%s); %s is used. Delete those of other package managers, or name one by packageManager in package.json."
                  .formatted(String.join(", ", lockfiles), best.orElseThrow())));
    }
    return best;
  }

  /** How many packages of the manifest it knows: the one that is not kept up misses some. */
  private long known(String lockfile) {
    Map<String, String> packages = manifest.packages();
    return root.text(lockfile)
        .map(text -> packages.keySet().stream().filter(text::contains).count())
        .orElse((long) packages.size());
  }

  /** The versions of pnpm that read a lockfile: the newest refuse old ones. */
  private String pnpmRange(Optional<String> lockfile) {
    String version =
        lockfile
            .flatMap(root::text)
            .map(Pattern.compile("(?m)^lockfileVersion:\\s*['\"]?(\\d+)")::matcher)
            .filter(Matcher::find)
            .map(match -> match.group(1))
            .orElse("");
    return manifest
        .text("engines", "pnpm")
        .filter(range -> version.isEmpty() && NodeVersions.isRange(range))
        .orElseGet(() ->
            switch (version) {
              case "5" -> "^7";
              case "6" -> "^8";
              default -> hasPnpmSettings() ? "^10" : "^9";
            });
  }

  /** Whether pnpm-workspace.yaml holds what pnpm reads there since version 10. */
  private boolean hasPnpmSettings() {
    return Workspace.pnpmSettings(root)
        .filter(json ->
            !json.has("packages")
                || json.properties().stream()
                    .anyMatch(
                        it -> !List.of("packages", "catalog", "catalogs").contains(it.getKey())))
        .isPresent();
  }

  private PackageManager yarn(Optional<String> exact, Optional<String> lockfile) {
    Optional<String> format = lockfile.flatMap(root::text).flatMap(PackageManagers::berryFormat);
    boolean configured = root.hasFile(".yarnrc.yml");
    boolean berry =
        exact
            .map(version -> !version.startsWith("0.") && !version.startsWith("1."))
            .orElse(format.isPresent() || (configured && lockfile.isEmpty()));
    if (!berry) {
      return manager(Manager.YARN, exact.orElse("^1"), lockfile);
    }
    Optional<String> checkedIn = root.text(".yarnrc.yml").flatMap(this::yarnPath);
    return new PackageManager(
        Manager.BERRY,
        exact.orElseGet(() -> berryRange(format.orElse(""))),
        checkedIn,
        lockfile,
        findings);
  }

  private static Optional<String> berryFormat(String lockfile) {
    int metadata = lockfile.indexOf("__metadata:"); // near the top
    Matcher match = Pattern.compile("(?m)^\\s+version:\\s*['\"]?(\\d+)").matcher(lockfile);
    return metadata >= 0 && match.find(metadata) ? Optional.of(match.group(1)) : Optional.empty();
  }

  private static String berryRange(String format) {
    return switch (format) {
      case "4", "5", "6", "7" -> "^3";
      default -> "^4";
    };
  }

  /** The program that .yarnrc.yml names, where it is committed. */
  private Optional<String> yarnPath(String settings) {
    return Workspace.yaml(settings)
        .map(json -> json.path("yarnPath").asText(""))
        .filter(path -> !path.isEmpty())
        .filter(root::hasFile)
        .flatMap(root::path);
  }
}
