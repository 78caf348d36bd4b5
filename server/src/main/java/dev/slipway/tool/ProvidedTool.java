package dev.slipway.tool;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A tool that programs can be given.
 *
 * @param version for example {@code 22.12.0}
 * @param directories to be shown to the program, read-only, at their own paths
 * @param bin one of the directories or below one, for the program's PATH; empty where the sandbox's
 *     own PATH finds this very version
 */
public record ProvidedTool(
    String name, String version, List<Path> directories, Optional<Path> bin) {
  public ProvidedTool {
    directories = List.copyOf(directories);
  }

  /** How a release remembers it: {@code node@22.12.0}. */
  public String id() {
    return name + "@" + version;
  }
}
