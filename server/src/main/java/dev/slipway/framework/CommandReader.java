package dev.slipway.framework;

import dev.slipway.core.Words;
import dev.slipway.framework.CommandLine.Command;
import dev.slipway.framework.LineScanner.Word;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the words of a line into commands: what the shell itself does is done here. */
final class CommandReader {
  private static final int MAX_NESTED = 4;
  private static final Pattern ASSIGNMENT =
      Pattern.compile("(" + Words.NAME + ")=(.*)", Pattern.DOTALL);
  private static final Set<String> PASSED_ON = Set.of("exec", "cross-env", "command", "nohup");
  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "/bin/sh", "/bin/bash", "/usr/bin/bash", "/bin/dash");
  private static final Set<String> SHELL_WORDS =
      Set.of(
          "if",
          "for",
          "while",
          "until",
          "case",
          "function",
          "select",
          "{",
          "!",
          "[[",
          "eval",
          "set",
          "trap",
          "wait",
          "ulimit",
          "umask",
          "alias",
          "unset",
          "shopt",
          "read",
          "cross-env-shell",
          "pushd",
          "popd",
          "source",
          ".",
          "exit",
          "return");

  private final List<Command> commands = new ArrayList<>();
  private final Map<String, String> exported = new LinkedHashMap<>();
  private Path directory = Path.of("");

  private CommandReader() {}

  static List<Command> read(String line) throws ShellOnlyException {
    CommandReader reader = new CommandReader();
    reader.readLine(line, 0);
    if (reader.commands.isEmpty()) {
      throw ShellOnlyException.wrong("The line holds no command.");
    }
    return reader.commands;
  }

  private void readLine(String line, int depth) throws ShellOnlyException {
    for (List<Word> words : LineScanner.scan(line)) {
      readCommand(words, depth);
    }
  }

  private void readCommand(List<Word> words, int depth) throws ShellOnlyException {
    Map<String, String> env = new LinkedHashMap<>(exported);
    int first = 0;
    while (first < words.size() && takes(words.get(first), env)) {
      first++;
    }
    if (first == words.size()) {
      exported.putAll(env);
      return;
    }
    List<Word> rest = words.subList(first, words.size());
    String program = rest.getFirst().text();
    switch (program) {
      case "cd" -> changeDirectory(rest);
      case "export" -> export(rest);
      default -> {
        if (isActivation(rest)) {
          return; // our own environment of Python is the active one already
        }
        if (SHELL_WORDS.contains(program)) {
          throw ShellOnlyException.because("\"%s\"".formatted(program));
        }
        if (SHELLS.contains(program) && rest.size() > 1 && rest.get(1).text().matches("-[a-z]*c")) {
          nested(rest, env, depth);
        } else {
          commands.add(new Command(path(), env, rest.stream().map(Word::template).toList()));
        }
      }
    }
  }

  /** Whether the word stands before the program: a variable, or what only passes it on. */
  private static boolean takes(Word word, Map<String, String> env) {
    Matcher assignment = ASSIGNMENT.matcher(word.template());
    if (assignment.matches()) {
      env.put(assignment.group(1), assignment.group(2));
      return true;
    }
    return PASSED_ON.contains(word.text()) || word.text().equals("env");
  }

  private void changeDirectory(List<Word> words) throws ShellOnlyException {
    String to = words.size() == 2 ? words.get(1).text() : "";
    // Where the application lies here, and on other hosts.
    String relative = to.equals("/app") ? "." : to.replaceFirst("^/app/", "./");
    boolean fixed = words.size() == 2 && words.get(1).template().equals(Words.literal(to));
    if (to.isEmpty() || to.equals("-") || relative.startsWith("/") || !fixed) {
      throw ShellOnlyException.wrong(
          "cd takes one directory of the repository here, and \"%s\" is none."
              .formatted(String.join(" ", words.stream().map(Word::text).toList())));
    }
    directory = (relative.equals(to) ? directory : Path.of("")).resolve(relative).normalize();
  }

  private void export(List<Word> words) throws ShellOnlyException {
    for (Word word : words.subList(1, words.size())) {
      if (!takes(word, exported) && !word.text().matches(Words.NAME)) {
        throw ShellOnlyException.because("export %s".formatted(word.text()));
      }
    }
  }

  private static boolean isActivation(List<Word> words) {
    String program = words.getFirst().text();
    return (program.equals("source") || program.equals("."))
        && words.size() == 2
        && words.get(1).text().endsWith("bin/activate");
  }

  /** {@code sh -c 'a && b'}: the shell that is named is not run, its line is read. */
  private void nested(List<Word> words, Map<String, String> env, int depth)
      throws ShellOnlyException {
    if (words.size() != 3 || depth == MAX_NESTED) {
      throw ShellOnlyException.because("\"%s\" with arguments".formatted(words.getFirst().text()));
    }
    Map<String, String> outer = Map.copyOf(exported);
    Path before = directory;
    exported.putAll(env);
    readLine(words.get(2).text(), depth + 1);
    exported.clear();
    exported.putAll(outer);
    directory = before;
  }

  private String path() {
    return directory.toString();
  }
}
