package dev.slipway.cli;

import dev.slipway.Administration;
import dev.slipway.Server;
import dev.slipway.account.AccountAdministration;
import dev.slipway.config.ConfigException;
import dev.slipway.config.ServerConfig;
import dev.slipway.core.RequestException;
import dev.slipway.core.TransientException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every command of {@code slipway admin} takes, and how it gets at the server's store. */
final class StoreOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The server's configuration; SLIPWAY_CONFIG by default.")
  private @Nullable Path config;

  @Option(names = "--json", description = "Print one JSON document, for scripts.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /** Does it in the server's store; what a person can mend is said in a sentence. */
  <T> T inStore(Function<AccountAdministration, T> work) {
    return beside(administration -> work.apply(administration.accounts()));
  }

  /** The same, for more than accounts. */
  <T> T beside(Function<Administration, T> work) {
    ServerLog.warningsOnly();
    try (Administration administration = Administration.open(settings())) {
      return work.apply(administration);
    } catch (Server.StartException | RequestException | TransientException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The server's configuration. */
  ServerConfig settings() {
    return load(Optional.ofNullable(config));
  }

  Printer printer() {
    return new Printer(commandLine().getOut(), json);
  }

  /** For what takes long. */
  Progress progress(String what) {
    return Progress.of(commandLine().getErr(), what);
  }

  private CommandLine commandLine() {
    if (command == null) {
      throw new IllegalStateException("the options belong to no command");
    }
    return command.commandLine();
  }

  static ServerConfig load(Optional<Path> file) {
    return load(file, System.getenv());
  }

  static ServerConfig load(Optional<Path> file, Map<String, String> environment) {
    try {
      return ServerConfig.load(file, environment);
    } catch (ConfigException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
