package dev.slipway.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** One run of the program {@code postgres}. */
final class PostgresProgram {
  private final Process process;
  private final PostgresOutput output;

  /**
   * Starts it as a child. One that does not outlive the server ends with the calling thread: call
   * it from one that lives on.
   */
  PostgresProgram(
      PostgresBinaries binaries, PostgresAccount account, PostgresSettings settings, int port) {
    List<String> arguments = new ArrayList<>();
    // A session of its own: Ctrl-C in the server's terminal must reach the server alone, which then
    // ends its store last.
    Command.find("setsid").ifPresent(arguments::add);
    List<String> postgres = new ArrayList<>();
    if (!settings.profile().outlivesServer()) {
      Command.find("setpriv").ifPresent(setpriv -> postgres.addAll(dyingWithUs(setpriv)));
    }
    postgres.addAll(postgresArguments(binaries, settings, port));
    arguments.addAll(account.command(postgres));
    output = settings.output();
    try {
      process = Command.prepare(arguments).redirectOutput(output.target()).start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + arguments, e);
    }
    output.begins(process);
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** What it said last, after its end all of it. */
  String lastWords() {
    return output.lastWords();
  }

  // The signal is set by the last program before postgres: a change of user would clear it.
  private static List<String> dyingWithUs(String setpriv) {
    return List.of(setpriv, "--pdeathsig", "INT", "--");
  }

  private static List<String> postgresArguments(
      PostgresBinaries binaries, PostgresSettings settings, int port) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                binaries.program("postgres"),
                "-D",
                settings.cluster().toString(),
                "-p",
                "" + port));
    settings
        .profile()
        .allSettings()
        .forEach((name, value) -> arguments.addAll(List.of("-c", name + "=" + value)));
    if (!settings.fsync()) {
      arguments.addAll(
          List.of("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"));
    }
    return arguments;
  }
}
