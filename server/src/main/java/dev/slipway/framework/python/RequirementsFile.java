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
 * @param leadsOut whether it includes a file that lies outside of what is looked at
 * @param furtherIndex whether it names an index beside the usual one
 */
record RequirementsFile(
    Set<String> files,
    List<Requirement> requirements,
    List<String> paths,
    boolean leadsOut,
    boolean furtherIndex) {
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
    Reader reader = new Reader(checkout);
    reader.read(path, true);
    return Optional.of(
        new RequirementsFile(
            reader.files, reader.requirements, reader.paths, reader.leadsOut, reader.furtherIndex));
  }

  boolean asksFor(String name) {
    return requirements.stream().anyMatch(it -> it.name().equals(name));
  }

  /** Collects what a file and those that it includes hold. */
  private static final class Reader {
    private final Checkout checkout;
    private final Set<String> files = new LinkedHashSet<>();
    private final List<Requirement> requirements = new ArrayList<>();
    private final List<String> paths = new ArrayList<>();
    private boolean leadsOut;
    private boolean furtherIndex;

    Reader(Checkout checkout) {
      this.checkout = checkout;
    }

    /**
     * @param counts whether what it names is asked for, and not only constrained
     */
    void read(String path, boolean counts) {
      leadsOut |= counts && path.startsWith("..");
      if (files.size() == MAX_FILES || !checkout.hasFile(path) || !files.add(path)) {
        return;
      }
      for (String line : lines(checkout.text(path).orElse(""))) {
        furtherIndex |= line.startsWith("--extra-index-url");
        Matcher include = INCLUDE.matcher(line);
        Matcher local = LOCAL.matcher(line);
        if (include.matches()) {
          boolean constraint = line.startsWith("-c") || line.startsWith("--c");
          read(beside(path, include.group(1)), counts && !constraint);
        } else if (local.matches()) {
          paths.add(beside(path, local.group(1).replaceFirst("\\[.*", "")));
        } else if (counts && !line.startsWith("-")) {
          Requirement.parse(line).ifPresent(requirements::add);
        }
      }
    }
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
