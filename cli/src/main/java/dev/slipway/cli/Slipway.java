package dev.slipway.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program that {@code ./slipway} runs. */
@Command(
    name = "slipway",
    description = "Takes applications from their repositories to live addresses, and back.",
    mixinStandardHelpOptions = true,
    version = "Slipway 0.1.0",
    subcommands = {ServerCommand.class, QuickstartCommand.class, WarmUpCommand.class})
public final class Slipway {
  private Slipway() {}

  public static void main(String[] arguments) {
    ServerLog.configure();
    CommandLine commands = new CommandLine(new Slipway());
    commands.setExecutionExceptionHandler(Slipway::report);
    System.exit(commands.execute(arguments));
  }

  /** What went wrong is a sentence; a stack trace is for faults of ours alone. */
  private static int report(
      Exception failure, CommandLine command, CommandLine.ParseResult arguments) {
    PrintWriter err = command.getErr();
    if (failure instanceof CommandException) {
      err.println("slipway: " + failure.getMessage());
    } else {
      failure.printStackTrace(err);
    }
    err.flush();
    return 1;
  }
}
