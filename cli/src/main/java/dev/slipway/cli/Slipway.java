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
    subcommands = {
      ServerCommand.class,
      QuickstartCommand.class,
      AdminCommand.class,
      WarmUpCommand.class
    })
public final class Slipway {
  private Slipway() {}

  public static void main(String[] arguments) {
    ServerLog.configure();
    System.exit(commands().execute(arguments));
  }

  static CommandLine commands() {
    return new CommandLine(new Slipway()).setExecutionExceptionHandler(Slipway::report);
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
