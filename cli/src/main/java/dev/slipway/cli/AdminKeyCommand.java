package dev.slipway.cli;

import dev.slipway.account.ApiKey;
import dev.slipway.account.MadeKey;
import dev.slipway.core.ApiKeyId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code slipway admin key}. */
@Command(
    name = "key",
    description = "Make API keys, list them, and revoke them.",
    mixinStandardHelpOptions = true)
final class AdminKeyCommand extends CommandGroup {
  @Command(
      name = "create",
      description = "Make an API key for an account. It is printed this once.",
      mixinStandardHelpOptions = true)
  void create(
      @Option(
              names = "--account",
              required = true,
              paramLabel = "ACCOUNT",
              description = "The account's id, or the e-mail address of a user of it.")
          String account,
      @Option(
              names = "--name",
              required = true,
              paramLabel = "NAME",
              description = "What the key is for, by which people tell it from others.")
          String name,
      @Mixin StoreOptions store) {
    MadeKey made = store.inStore(accounts -> accounts.createKey(account, name));
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("key_id", made.key().id().value());
    fields.put("account_id", made.key().accountId().value());
    fields.put("name", made.key().name());
    fields.put("api_key", made.text().reveal());
    store.printer().fields("The key is made. Keep it; it is not shown again:", fields);
  }

  @Command(
      name = "list",
      description = "List an account's keys, oldest first, revoked ones among them.",
      mixinStandardHelpOptions = true)
  void list(
      @Option(
              names = "--account",
              required = true,
              paramLabel = "ACCOUNT",
              description = "The account's id, or the e-mail address of a user of it.")
          String account,
      @Mixin StoreOptions store) {
    List<ApiKey> keys = store.inStore(accounts -> accounts.keys(account));
    store
        .printer()
        .table(
            List.of("key_id", "name", "hint", "created_at", "last_used_at", "revoked_at"),
            keys.stream().map(AdminKeyCommand::row).toList());
  }

  @Command(
      name = "revoke",
      description = "Revoke a key. The very next request with it is refused.",
      mixinStandardHelpOptions = true)
  void revoke(
      @Parameters(index = "0", paramLabel = "KEY_ID", description = "The key's id, as key_…")
          String id,
      @Mixin StoreOptions store) {
    ApiKeyId key = new ApiKeyId(id);
    boolean now = store.inStore(accounts -> accounts.revoke(key));
    store
        .printer()
        .said(
            now
                ? "Key %s opens nothing any more.".formatted(key)
                : "Key %s was revoked before.".formatted(key),
            Map.of("key_id", key.value(), "revoked", true));
  }

  private static List<Optional<?>> row(ApiKey key) {
    return List.of(
        Optional.of(key.id().value()),
        Optional.of(key.name()),
        Optional.of(key.hint()),
        Printer.time(key.createdAt()),
        key.lastUsedAt().flatMap(Printer::time),
        key.revokedAt().flatMap(Printer::time));
  }
}
