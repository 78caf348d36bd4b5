package dev.slipway.cli;

import picocli.CommandLine.Command;

/** {@code slipway admin}: what the operator does on the server's own machine, past the API. */
@Command(
    name = "admin",
    description = {
      "Look after accounts, API keys and users, in the server's own store; back up the server and"
          + " restore it.",
      "",
      "All but restore work whether the server runs or not, and what they change holds for the very"
          + " next request. With an embedded store, run it as the user that runs the server."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:It is done.",
      "1:It was not done; standard error says why.",
      "2:The command line is wrong."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      AdminAccountCommand.class,
      AdminKeyCommand.class,
      AdminUserCommand.class,
      AdminBackupCommand.class,
      AdminRestoreCommand.class
    })
final class AdminCommand extends CommandGroup {}
