package dev.slipway.framework;

import dev.slipway.core.Words;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A line that somebody wrote for a shell, read without one: commands that run one after the other,
 * each if the one before succeeded. Understood are words, quotes, {@code &&}, {@code cd}, variables
 * before a command, {@code export}, {@code exec}, {@code env}, {@code sh -c} and the variables of
 * {@link Words}. What only a shell can do is refused.
 *
 * @param commands at least one
 */
public record CommandLine(List<Command> commands) {
  public CommandLine {
    commands = List.copyOf(commands);
  }

  /**
   * One program.
   *
   * @param directory where it runs, seen from where the line is run; empty for right there
   * @param env what the line sets for it, values as {@link Words}
   * @param words the program and its arguments, as {@link Words}
   */
  public record Command(String directory, Map<String, String> env, List<String> words) {
    public Command {
      env = Map.copyOf(env);
      words = List.copyOf(words);
    }
  }

  /** Empty where the line needs a shell or holds no command: {@link #fault} says why. */
  public static Optional<CommandLine> parse(String line) {
    try {
      return Optional.of(new CommandLine(CommandReader.read(line)));
    } catch (ShellOnlyException refused) {
      return Optional.empty();
    }
  }

  /** A sentence for the user: why the line cannot be run, and what to do. Empty where it can. */
  public static Optional<String> fault(String line) {
    try {
      CommandReader.read(line);
      return Optional.empty();
    } catch (ShellOnlyException refused) {
      return Optional.of(refused.sentence());
    }
  }

  /** The command that stays. */
  public Command last() {
    return commands.getLast();
  }

  /** What the line sets; of two values of one variable the later. */
  public Map<String, String> env() {
    Map<String, String> env = new LinkedHashMap<>();
    commands.forEach(command -> env.putAll(command.env()));
    return Map.copyOf(env);
  }

  /**
   * The words of each command, all to be run in the directory of the last one: another that runs
   * elsewhere gets there by {@code env}.
   */
  public List<List<String>> words() {
    return commands.stream().map(command -> from(last().directory(), command)).toList();
  }

  private static List<String> from(String directory, Command command) {
    if (command.directory().equals(directory)) {
      return command.words();
    }
    Path way = Path.of("/at/" + "x/".repeat(64), directory).normalize();
    Path there = Path.of("/at/" + "x/".repeat(64), command.directory()).normalize();
    List<String> words = new ArrayList<>();
    words.add("env");
    words.add("--chdir=" + Words.literal("./" + way.relativize(there)));
    words.addAll(command.words());
    return words;
  }
}
