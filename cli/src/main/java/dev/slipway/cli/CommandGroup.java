package dev.slipway.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that does nothing by itself: it is one of its subcommands that is meant. */
abstract class CommandGroup implements Runnable {
  @Spec private @Nullable CommandSpec command;

  @Override
  public final void run() {
    if (command != null) {
      throw new CommandLine.ParameterException(
          command.commandLine(),
          "%s needs one of: %s"
              .formatted(
                  command.qualifiedName(), String.join(", ", command.subcommands().keySet())));
    }
  }
}
