package dev.slipway.framework.python;

import dev.slipway.source.Checkout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A requirements.txt with the files that it includes.
 *
 * @param files all of them from the repository's root, the one that was asked for first
 * @param paths local packages that are installed too, from the root
 * @param furtherIndex whether it names an index beside the usual one
 */
record RequirementsFile(
    Set<String> files, List<Requirement> requirements, List<String> paths, boolean furtherIndex) {
  private static final int MAX_FILES = 32;
  private static final Pattern INCLUDE =
      Pattern.compile("(?:-r|--requirement|-c|--constraint)[ =]?\\s*(\\S+)");
  private static final Pattern LOCAL = Pattern.compile("(?:(?:-e|--editable)[ =]?\\s*)?(\\.\\S*)");

  /**
   * @param path from the root
   */
  static Optional<RequirementsFile> in(Checkout checkout, String path) {
    if (!checkout.hasFile(path)) {
      return Optional.empty();
    }
    RequirementsFile all =
        new RequirementsFile(new LinkedHashSet<>(), new ArrayList<>(), new ArrayList<>(), false);
    boolean furtherIndex = all.read(checkout, path, true);
    return Optional.of(new RequirementsFile(all.files, all.requirements, all.paths, furtherIndex));
  }

  boolean asksFor(String name) {
    return requirements.stream().anyMatch(it -> it.name().equals(name));
  }

  private boolean read(Checkout checkout, String path, boolean counts) {
    if (files.size() == MAX_FILES || !checkout.hasFile(path) || !files.add(path)) {
      return false;
    }
    boolean furtherIndex = false;
    for (String line : lines(checkout.text(path).orElse(""))) {
      furtherIndex |= line.startsWith("--extra-index-url");
      Matcher include = INCLUDE.matcher(line);
      Matcher local = LOCAL.matcher(line);
      if (include.matches()) {
        boolean constraint = line.startsWith("-c") || line.startsWith("--c");
        furtherIndex |= read(checkout, beside(path, include.group(1)), counts && !constraint);
      } else if (local.matches()) {
        paths.add(beside(path, local.group(1).replaceFirst("\\[.*", "")));
      } else if (counts && !line.startsWith("-")) {
        Requirement.parse(line).ifPresent(requirements::add);
      }
    }
    return furtherIndex;
  }

  private static List<String> lines(String text) {
    // PowerShell writes UTF-16: of what is read as UTF-8 the letters are left after this.
    return text.replaceAll("[\\x00\\uFFFD\\uFEFF]", "")
        .replaceAll("\\\\\\R", " ")
        .lines()
        .map(line -> line.replaceFirst("(?:^|\\s)#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }

  private static String beside(String file, String other) {
    return Path.of(file).resolveSibling(other).normalize().toString();
  }
}
