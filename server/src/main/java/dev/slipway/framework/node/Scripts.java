package dev.slipway.framework.node;

import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.CommandLine;
import dev.slipway.framework.CommandLine.Command;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns the line of a start script into programs that are run themselves: a package manager that
 * runs a script stays as their parent, takes memory and swallows signals. What is meant for
 * development is replaced where that can be done.
 */
final class Scripts {
  /** {@code npm start} may lead to a script that leads to another. */
  private static final int MAX_NESTED = 6;

  private static final Pattern SCRIPT_FILE = Pattern.compile(".*\\.[cm]?js");
  private static final Set<String> MANAGERS = Set.of("npm", "pnpm", "yarn", "bun");
  private static final Set<String> RUNNERS = Set.of("npx", "pnpx", "bunx");
  private static final Set<String> PROCESS_KEEPERS = Set.of("pm2", "pm2-runtime", "forever");
  private static final Set<String> RELOADERS =
      Set.of("nodemon", "ts-node-dev", "tsnd", "node-dev", "supervisor");
  private static final Pattern WATCHES =
      Pattern.compile("--watch(-path=.*)?|--(inspect|debug)(-brk)?(=.*)?");

  private final NodeApp app;
  private final Set<String> findings = new LinkedHashSet<>();

  Scripts(NodeApp app) {
    this.app = app;
  }

  /** Sentences about what was replaced, after reading. */
  List<Finding> findings() {
    return findings.stream().map(sentence -> new Finding(true, sentence)).toList();
  }

  /** Empty where a line, or a script that it runs, needs a shell. */
  Optional<CommandLine> read(String line) {
    return read(line, 0);
  }

  private Optional<CommandLine> read(String line, int depth) {
    Optional<CommandLine> parsed = CommandLine.parse(line);
    if (parsed.isEmpty()) {
      return parsed;
    }
    List<Command> commands = new ArrayList<>();
    for (Command command : parsed.get().commands()) {
      Optional<List<Command>> direct = direct(command, depth);
      if (direct.isEmpty()) {
        return Optional.empty();
      }
      commands.addAll(direct.get());
    }
    return commands.isEmpty() ? Optional.empty() : Optional.of(new CommandLine(commands));
  }

  private Optional<List<Command>> direct(Command command, int depth) {
    Optional<String> script = script(command).filter(name -> command.directory().isEmpty());
    if (script.isPresent() && depth > 0 && isBuild(script.get())) {
      return Optional.of(List.of()); // done already
    }
    if (script.isPresent()) {
      return depth == MAX_NESTED || isHooked(script.get())
          ? Optional.empty()
          : app.manifest()
              .script(script.get())
              .flatMap(line -> read(line, depth + 1))
              .map(line -> withEnv(line, command.env()));
    }
    List<String> words = withoutRunner(command.words());
    return Optional.of(List.of(new Command(command.directory(), command.env(), program(words))));
  }

  private static boolean isBuild(String script) {
    return script.equals(NodeBuild.NAME);
  }

  /** Whether scripts run around one, which only a package manager does right. */
  private boolean isHooked(String script) {
    boolean before =
        app.manifest()
            .script("pre" + script)
            .filter(line -> !line.matches("(npm|pnpm|yarn|bun)( run)? build"))
            .isPresent();
    return before || app.manifest().script("post" + script).isPresent();
  }

  /** The script of package.json that a command runs, and nothing else. */
  private Optional<String> script(Command command) {
    List<String> words = command.words();
    if (!MANAGERS.contains(words.getFirst()) || words.size() < 2) {
      return Optional.empty();
    }
    boolean run = words.get(1).equals("run") || words.get(1).equals("run-script");
    List<String> rest =
        words.subList(run ? 2 : 1, words.size()).stream()
            .filter(word -> !Set.of("--silent", "-s").contains(word))
            .toList();
    return rest.size() == 1 && app.manifest().script(rest.getFirst()).isPresent()
        ? Optional.of(rest.getFirst())
        : Optional.empty();
  }

  private static List<Command> withEnv(CommandLine line, Map<String, String> outer) {
    return line.commands().stream()
        .map(command -> {
          Map<String, String> env = new HashMap<>(outer);
          env.putAll(command.env());
          return new Command(command.directory(), env, command.words());
        })
        .toList();
  }

  /** {@code npx next start} without the first word, where the program is installed. */
  private List<String> withoutRunner(List<String> words) {
    int first = 0;
    if (RUNNERS.contains(words.getFirst())) {
      first = 1;
    } else if (MANAGERS.contains(words.getFirst())
        && words.size() > 2
        && words.get(1).equals("exec")) {
      first = words.get(2).equals("--") ? 3 : 2;
    }
    return first > 0 && first < words.size() && app.has(words.get(first))
        ? words.subList(first, words.size())
        : words;
  }

  private List<String> program(List<String> words) {
    String program = words.getFirst();
    if (program.equals("node")) {
      return node(words);
    }
    if (PROCESS_KEEPERS.contains(program) || RELOADERS.contains(program)) {
      return watched(words);
    }
    String file = program.replaceFirst("^\\./", "");
    return program.contains("/") && isNodeScript(file)
        ? replaced(words, List.of("node", file))
        : words;
  }

  /** Node without the flags that are for development, or name files that are not committed. */
  private List<String> node(List<String> words) {
    List<String> kept = new ArrayList<>();
    boolean options = true;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      options = options && (i == 0 || word.startsWith("-"));
      if (options && i > 0 && WATCHES.matcher(word).matches()) {
        findings.add("%s is for development, so Node is started without it.".formatted(word));
      } else if (options && i > 0 && isMissingEnvFile(word)) {
        findings.add(
            "There is no file for %s, so Node is started without it. The variables of the project are there all the same."
                .formatted(word));
      } else {
        kept.add(word);
      }
    }
    return kept;
  }

  private boolean isMissingEnvFile(String word) {
    Matcher flag = Pattern.compile("--env-file=(.+)").matcher(word);
    return flag.matches() && !app.place().hasFile(flag.group(1));
  }

  /** What only keeps a program running, or starts it anew when a file changes, left out. */
  private List<String> watched(List<String> words) {
    String program = words.getFirst();
    List<String> files =
        words.stream()
            .skip(1)
            .filter(word -> !word.startsWith("-") && !word.equals("start"))
            .toList();
    boolean plain =
        files.size() == 1
            && isScript(files.getFirst())
            && !files.getFirst().contains(".config.")
            && words.stream().noneMatch(word -> word.matches("--?e(xec)?|-x|-r|--require"));
    if (plain) {
      findings.add(
          "The start command runs %s, which is not needed here, so node %s is run."
              .formatted(program, files.getFirst()));
      return List.of("node", files.getFirst());
    }
    findings.add(
        "The start command runs %s, which is %s. Use node instead."
            .formatted(
                program,
                RELOADERS.contains(program)
                    ? "for development"
                    : "not needed here and may end before the application does"));
    return words;
  }

  private boolean isScript(String file) {
    return SCRIPT_FILE.matcher(file).matches() || app.place().hasFile(file + ".js");
  }

  private boolean isNodeScript(String file) {
    return app.place()
        .text(file)
        .flatMap(text -> text.lines().findFirst())
        .filter(line ->
            SCRIPT_FILE.matcher(file).matches() || (line.startsWith("#!") && line.contains("node")))
        .isPresent();
  }

  private static List<String> replaced(List<String> words, List<String> first) {
    List<String> all = new ArrayList<>(first);
    all.addAll(words.subList(1, words.size()));
    return all;
  }
}
