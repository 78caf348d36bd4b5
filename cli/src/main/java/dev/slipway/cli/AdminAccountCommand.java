package dev.slipway.cli;

import dev.slipway.account.Account;
import dev.slipway.account.AccountAdministration.MadeAccount;
import dev.slipway.account.AccountAdministration.Summary;
import dev.slipway.core.Secret;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code slipway admin account}. */
@Command(
    name = "account",
    description = "Make accounts, list them, and set their tiers.",
    mixinStandardHelpOptions = true)
final class AdminAccountCommand extends CommandGroup {
  @Command(
      name = "create",
      description = {
        "Make an account with its user and its first API key.",
        "What is made up, the key and the password, is printed this once."
      },
      mixinStandardHelpOptions = true)
  void create(
      @Option(
              names = "--email",
              required = true,
              paramLabel = "ADDRESS",
              description = "The user's e-mail address, which no other user has.")
          String email,
      @Option(
              names = "--tier",
              defaultValue = "free",
              paramLabel = "TIER",
              description = "A tier of the configuration; ${DEFAULT-VALUE} by default.")
          String tier,
      @Mixin PasswordOption password,
      @Mixin StoreOptions store) {
    Optional<Secret> chosen = password.read();
    MadeAccount made = store.inStore(accounts -> accounts.create(email, tier, chosen));
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("account_id", made.account().id().value());
    fields.put("tier", made.account().tier());
    fields.put("user_id", made.user().value());
    fields.put("email", made.email());
    if (chosen.isEmpty()) {
      fields.put("password", made.password().reveal());
    }
    fields.put("key_id", made.key().key().id().value());
    fields.put("api_key", made.key().text().reveal());
    store.printer().fields("The account is made. Keep these; they are not shown again:", fields);
  }

  @Command(
      name = "list",
      description =
          "List all accounts, oldest first, with their users and how many keys open them.",
      mixinStandardHelpOptions = true)
  void list(@Mixin StoreOptions store) {
    List<Summary> accounts = store.inStore(it -> it.list());
    store
        .printer()
        .table(
            List.of("account_id", "tier", "emails", "keys", "created_at"),
            accounts.stream().map(AdminAccountCommand::row).toList());
  }

  @Command(
      name = "tier",
      description = {
        "Move an account to another tier.",
        "Its limits are the new tier's from the next request on."
      },
      mixinStandardHelpOptions = true)
  void tier(
      @Parameters(
              index = "0",
              paramLabel = "ACCOUNT",
              description = "The account's id, or the e-mail address of a user of it.")
          String account,
      @Parameters(index = "1", paramLabel = "TIER", description = "A tier of the configuration.")
          String tier,
      @Mixin StoreOptions store) {
    Account changed = store.inStore(accounts -> accounts.changeTier(account, tier));
    store
        .printer()
        .said(
            "Account %s is on the tier %s.".formatted(changed.id(), changed.tier()),
            Map.of("account_id", changed.id().value(), "tier", changed.tier()));
  }

  private static List<Optional<?>> row(Summary summary) {
    Account account = summary.account();
    return List.of(
        Optional.of(account.id().value()),
        Optional.of(account.tier()),
        Optional.of(summary.emails()),
        Optional.of(summary.keys()),
        Printer.time(account.createdAt()));
  }
}
