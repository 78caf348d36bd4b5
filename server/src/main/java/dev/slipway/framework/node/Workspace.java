package dev.slipway.framework.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.slipway.framework.DirectoryScan;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

/**
 * Packages of one repository that are installed together.
 *
 * @param root where the install runs and the lockfile is
 * @param members the directories of the packages, that of the root left out, sorted
 */
record Workspace(Place root, List<String> members) {
  static final String PNPM_FILE = "pnpm-workspace.yaml";

  /** The time that a glob takes grows with the power of their number. */
  private static final int MAX_STARS = 6;

  private static final YAMLMapper YAML = new YAMLMapper();

  /** The one that an application belongs to: in its own directory, or further up. */
  static Optional<Workspace> around(Place app) {
    Optional<Workspace> own = of(app);
    if (own.isPresent()) {
      return own;
    }
    Path up = Path.of(app.directory()).getParent();
    while (!app.directory().isEmpty()) {
      Place place = app.at(up == null ? "" : up.toString());
      Optional<Workspace> found =
          of(place).filter(workspace -> workspace.members().contains(app.directory()));
      if (found.isPresent() || up == null) {
        return found;
      }
      up = up.getParent();
    }
    return Optional.empty();
  }

  private static Optional<Workspace> of(Place root) {
    Set<String> globs = new LinkedHashSet<>();
    globs.addAll(root.manifest().map(PackageJson::workspaces).orElse(Set.of()));
    globs.addAll(pnpmGlobs(root));
    if (globs.isEmpty()) {
      return Optional.empty();
    }
    List<String> members =
        DirectoryScan.below(root.checkout(), root.directory(), Set.of(PackageJson.FILE)).stream()
            .filter(directory -> !directory.equals(root.directory()))
            .filter(directory -> matches(Path.of(root.relative(directory)), globs))
            .toList();
    return Optional.of(new Workspace(root, members));
  }

  private static Collection<String> pnpmGlobs(Place root) {
    List<String> globs = new ArrayList<>();
    pnpmSettings(root)
        .ifPresent(json -> json.path("packages").forEach(it -> globs.add(it.asText(""))));
    return globs;
  }

  /** What pnpm-workspace.yaml says; empty where it is missing or cannot be read. */
  static Optional<JsonNode> pnpmSettings(Place root) {
    return root.text(PNPM_FILE).flatMap(Workspace::yaml);
  }

  static Optional<JsonNode> yaml(String text) {
    try {
      return Optional.ofNullable(YAML.readTree(text));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** The last glob that matches decides, as those with {@code !} take packages out again. */
  private static boolean matches(Path directory, Set<String> globs) {
    boolean in = false;
    for (String glob : globs) {
      boolean out = glob.startsWith("!");
      if (matches(directory, out ? glob.substring(1) : glob)) {
        in = !out;
      }
    }
    return in;
  }

  private static boolean matches(Path directory, String glob) {
    String plain = glob.replaceFirst("^\\./", "").replaceFirst("/+$", "");
    if (plain.chars().filter(c -> c == '*').count() > MAX_STARS) {
      return false;
    }
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + plain).matches(directory);
    } catch (PatternSyntaxException | UnsupportedOperationException e) {
      return false;
    }
  }
}
