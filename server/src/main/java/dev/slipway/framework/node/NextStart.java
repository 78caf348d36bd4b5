package dev.slipway.framework.node;

import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.CommandLine;
import dev.slipway.framework.CommandLine.Command;
import dev.slipway.framework.Overrides;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How a server of Next.js is started.
 *
 * @param own whether it is a server of the application's own, and not {@code next start}
 */
record NextStart(NodeStart start, boolean own) {
  private static final String PROGRAM = "next";
  private static final Command NEXT_START = new Command("", Map.of(), List.of(PROGRAM, "start"));

  /** They say port and address, which are for us to say. */
  private static final Set<String> LISTENING = Set.of("-p", "--port", "-H", "--hostname");

  static NextStart of(NodeApp app, Overrides overrides) {
    Optional<NodeStart> said =
        overrides
            .startCommand()
            .map(line -> NodeStart.ofUser(app, line))
            .or(() -> NodeStart.ofScript(app));
    return said.map(NextStart::of)
        .orElseGet(() ->
            new NextStart(
                new NodeStart(new CommandLine(List.of(NEXT_START)), false, List.of()), false));
  }

  private static NextStart of(NodeStart said) {
    List<Command> commands = new ArrayList<>(said.line().commands());
    Command last = commands.getLast();
    commands.removeIf(is("build").or(is("export")));
    if (!isNext(last)) {
      return new NextStart(said, true);
    }
    List<Finding> findings = new ArrayList<>();
    commands.remove(last);
    if (is("start").test(last)) {
      commands.add(new Command(last.directory(), last.env(), withoutPort(last.words())));
    } else {
      Map<String, String> env = new HashMap<>(last.env());
      env.remove("NODE_ENV");
      commands.add(new Command(last.directory(), env, NEXT_START.words()));
      findings.add(
          new Finding(
              true,
              "The start command runs \"%s\", which is for development, so next start is run. Change the start script to \"next start\"."
                  .formatted(String.join(" ", last.words()))));
    }
    return new NextStart(said.with(new CommandLine(commands), findings), false);
  }

  private static boolean isNext(Command command) {
    return command.words().getFirst().equals(PROGRAM);
  }

  private static Predicate<Command> is(String subcommand) {
    return command ->
        isNext(command) && command.words().size() > 1 && command.words().get(1).equals(subcommand);
  }

  private static List<String> withoutPort(List<String> words) {
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      if (LISTENING.contains(words.get(i))) {
        i++; // its value
      } else if (!words.get(i).matches("(--port|--hostname)=.*|-p=?\\d+")) {
        kept.add(words.get(i));
      }
    }
    return kept;
  }
}
