package dev.slipway.hook;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The part of a repository that a project is built from.
 *
 * @param path without slashes around it
 */
record RootDirectory(String path) {
  private static final Pattern AROUND = Pattern.compile("^(\\./)*/*|/*(/\\.)?$");

  /** What says, from the directories above, how the part is built. */
  private static final Set<String> READ_ABOVE =
      Set.of(
          "slipway.yaml",
          "Procfile",
          "render.yaml",
          "railway.json",
          "railway.toml",
          "vercel.json",
          "netlify.toml",
          "app.json",
          "package.json",
          "package-lock.json",
          "npm-shrinkwrap.json",
          "pnpm-lock.yaml",
          "pnpm-workspace.yaml",
          "yarn.lock",
          "bun.lock",
          "bun.lockb",
          ".npmrc",
          ".yarnrc.yml",
          ".nvmrc",
          ".node-version",
          ".python-version",
          ".tool-versions",
          "turbo.json",
          "nx.json",
          "pyproject.toml",
          "uv.lock",
          ".gitmodules");

  /** Empty where the project is built from all of the repository. */
  static Optional<RootDirectory> of(String setting) {
    String path = AROUND.matcher(setting).replaceAll("");
    return path.isEmpty() || path.equals(".")
        ? Optional.empty()
        : Optional.of(new RootDirectory(path));
  }

  /** Whether one of these files may matter to it. */
  boolean isTouchedBy(List<String> files) {
    return files.stream().anyMatch(this::isTouchedBy);
  }

  private boolean isTouchedBy(String file) {
    if (file.equals(path) || file.startsWith(path + "/")) {
      return true;
    }
    String folder = file.substring(0, file.lastIndexOf('/') + 1);
    return (path + "/").startsWith(folder) && READ_ABOVE.contains(file.substring(folder.length()));
  }
}
