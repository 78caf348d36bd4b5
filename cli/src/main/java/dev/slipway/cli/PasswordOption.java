package dev.slipway.cli;

import dev.slipway.core.Secret;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Optional;
import picocli.CommandLine.Option;

/** A password never stands on a command line, where every user of the machine could read it. */
final class PasswordOption {
  @Option(
      names = "--password-stdin",
      description =
          "Read the password from the first line of standard input, instead of making one up.")
  private boolean fromInput;

  Optional<Secret> read() {
    if (!fromInput) {
      return Optional.empty();
    }
    try {
      // Not closed: standard input is not ours.
      String line =
          new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
      if (line == null) {
        throw new CommandException("standard input is empty; it must hold the password");
      }
      return Optional.of(new Secret(line));
    } catch (IOException e) {
      throw new CommandException("the password cannot be read: " + e.getMessage(), e);
    }
  }
}
