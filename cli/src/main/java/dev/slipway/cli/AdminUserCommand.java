package dev.slipway.cli;

import dev.slipway.core.Secret;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code slipway admin user}. */
@Command(
    name = "user",
    description = "Look after the people who sign in.",
    mixinStandardHelpOptions = true)
final class AdminUserCommand extends CommandGroup {
  @Command(
      name = "password",
      description = {
        "Set a new password for a user.",
        "One that is made up is printed this once; the old one opens nothing any more."
      },
      mixinStandardHelpOptions = true)
  void password(
      @Option(
              names = "--email",
              required = true,
              paramLabel = "ADDRESS",
              description = "The user's e-mail address.")
          String email,
      @Mixin PasswordOption password,
      @Mixin StoreOptions store) {
    Optional<Secret> chosen = password.read();
    Secret set = store.inStore(accounts -> accounts.setPassword(email, chosen));
    if (chosen.isPresent()) {
      store.printer().said("The password of %s is set.".formatted(email), Map.of("email", email));
      return;
    }
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("email", email);
    fields.put("password", set.reveal());
    store.printer().fields("The password is set. Keep it; it is not shown again:", fields);
  }
}
