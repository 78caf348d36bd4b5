package dev.slipway.cli;

import dev.slipway.Administration;
import dev.slipway.Server;
import dev.slipway.config.ServerConfig;
import dev.slipway.recovery.Restoration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code slipway admin restore}. */
@Command(
    name = "restore",
    description = {
      "Make a server from a file of slipway admin backup: in the data_dir of the configuration, and"
          + " in the store.url if there is one, which must be an empty database.",
      "",
      "No server may run there. What was live is started again with the server. Where it was cut"
          + " off, run it again."
    },
    mixinStandardHelpOptions = true)
final class AdminRestoreCommand implements Runnable {
  private static final String AS_IT_WAS =
      """
      Keys, users and passwords are those of that time: revoke again what was revoked since, and
      rotate the databases on servers of yours that were rotated since. Never start the server that
      this one replaces again: both would act for the same accounts.\
      """;

  @Parameters(index = "0", paramLabel = "FILE", description = "Of slipway admin backup.")
  private @Nullable Path file;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "The master key, where it is not in the file (--without-keys).")
  private @Nullable Path key;

  @Option(
      names = "--replace",
      description =
          "Move what is in data_dir aside, into a folder replaced-… of it; its applications"
              + " and their databases are ended. Nothing is deleted but what instances had beside"
              + " their releases.")
  private boolean replace;

  @Mixin private StoreOptions store = new StoreOptions();

  @Override
  public void run() {
    ServerLog.warningsOnly();
    ServerConfig config = store.settings();
    Restoration.Restored restored = restored(config);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("data_dir", config.dataDir().toString());
    fields.put("created_at", restored.createdAt());
    fields.put("databases_restoring", restored.databases().restoring());
    fields.put("databases_lost", restored.databases().dropped());
    fields.put("databases_left", restored.databases().left());
    restored.aside().ifPresent(aside -> fields.put("replaced", aside.toString()));
    store.printer().said(String.join(System.lineSeparator(), lines(config, restored)), fields);
  }

  private Restoration.Restored restored(ServerConfig config) {
    try (Progress progress = store.progress("read")) {
      return Administration.restore(
          config,
          new Restoration.Wish(Objects.requireNonNull(file), Optional.ofNullable(key), replace),
          progress);
    } catch (Server.StartException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private static List<String> lines(ServerConfig config, Restoration.Restored restored) {
    List<String> lines = new ArrayList<>();
    lines.add("%s is the server of %s again.".formatted(config.dataDir(), restored.createdAt()));
    restored
        .aside()
        .ifPresent(aside -> lines.add("What was there before is in %s.".formatted(aside)));
    if (restored.databases().restoring() > 0) {
      lines.add(
          "Databases of applications that are filled from their backups at the start: %d."
              .formatted(restored.databases().restoring()));
    }
    if (restored.databases().dropped() > 0) {
      lines.add(
          "Databases of applications of which the file held no backup, and which are gone: %d."
              .formatted(restored.databases().dropped()));
    }
    if (!restored.databases().left().isEmpty()) {
      lines.add(
          "Being made on servers of yours at that time; drop them there if nothing uses them: %s."
              .formatted(String.join(", ", restored.databases().left())));
    }
    lines.add(AS_IT_WAS);
    lines.add("Start the server: what was live comes back with it.");
    return lines;
  }
}
