package dev.slipway.framework.hosts;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A build command of a host that knows one command for installing and building. What the package
 * managers of Node install is left out: that is done here by the lockfile, and kept for the next
 * time. What pip installs is another matter, as no other place may name the file.
 *
 * @param install the commands of pip and its like, joined by {@code &&}; empty where there is none
 * @param build what remains
 */
record BuildLine(String install, String build) {
  private static final Pattern PARTS = Pattern.compile("\\s*(?:&&|\\R)\\s*");
  private static final Pattern DONE_HERE =
      Pattern.compile(
          "(?:npm (?:ci|i|install)|yarn(?: install)?|pnpm (?:i|install)|bun (?:i|install))(?:"
              + " -\\S+)*|corepack enable.*|npm (?:i|install) (?:-g|--global)"
              + " (?:pnpm|yarn|npm|bun)\\S*|(?:python3? -m )?pip3? install"
              + " (?:(?:-U|--upgrade|pip|setuptools|wheel|uv|poetry|pipenv)\\S*\\s*)+|poetry"
              + " install.*|pipenv (?:install|sync).*|uv sync.*|(?:uv|python3? -m) venv.*|poetry"
              + " config .*|(?:source|\\.) \\S*bin/activate");
  private static final Pattern PIP = Pattern.compile("(?:(?:uv|python3? -m) )?pip3? install .*");

  static BuildLine of(String line) {
    List<String> parts = List.of(PARTS.split(line.strip(), -1));
    if (parts.stream().anyMatch(part -> part.startsWith("cd "))) {
      return new BuildLine("", line.strip()); // what is installed elsewhere, nothing else installs
    }
    List<String> install = new ArrayList<>();
    List<String> build = new ArrayList<>();
    for (String part : parts) {
      if (part.isEmpty() || DONE_HERE.matcher(part).matches()) {
        continue;
      }
      (PIP.matcher(part).matches() ? install : build).add(part);
    }
    return new BuildLine(String.join(" && ", install), String.join(" && ", build));
  }

  void take(String file, Notes notes) {
    notes.take(file, Setting.INSTALL_COMMAND, install);
    notes.take(file, Setting.BUILD_COMMAND, build);
  }
}
