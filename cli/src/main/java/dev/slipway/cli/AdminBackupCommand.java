package dev.slipway.cli;

import dev.slipway.recovery.Saving;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code slipway admin backup}. */
@Command(
    name = "backup",
    description = {
      "Write all of the server to one file, from which slipway admin restore makes it again, on this"
          + " machine or another. The server may run meanwhile.",
      "",
      "The file holds the store (accounts, projects, deployments, logs), the master key, the"
          + " releases and uploads, and the newest backup of each database of an application. It"
          + " holds no configuration and nothing that can be fetched again."
    },
    mixinStandardHelpOptions = true)
final class AdminBackupCommand implements Runnable {
  private static final String WITH_KEY =
      """

      IT HOLDS THE MASTER KEY. Whoever has this file can read every secret of every account:
      variables, passwords of databases, private keys of certificates. Keep it as you would keep
      those, or leave the key out (--without-keys) and keep that apart.\
      """;

  @Parameters(index = "0", paramLabel = "FILE", description = "Is made; must not exist yet.")
  private @Nullable Path file;

  @Option(
      names = "--without-keys",
      description =
          "Leave the master key out. Without it nobody can read the secrets, you neither, and the"
              + " file cannot be restored.")
  private boolean withoutKeys;

  @Mixin private StoreOptions store = new StoreOptions();

  @Override
  public void run() {
    Path archive = Objects.requireNonNull(file).toAbsolutePath();
    Saving.Saved saved = store.beside(administration -> save(administration.saving(), archive));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", archive.toString());
    fields.put("size_bytes", saved.bytes());
    fields.put("releases", saved.releases());
    fields.put("database_backups", saved.databases());
    fields.put("databases_without_backup", saved.withoutBackup());
    fields.put("master_key", !withoutKeys);
    store
        .printer()
        .said(
            """
            %s is written: %,d bytes, releases: %d, backups of databases: %d.
            %s%s\
            """
                .formatted(
                    archive,
                    saved.bytes(),
                    saved.releases(),
                    saved.databases(),
                    withoutBackup(saved),
                    withoutKeys ? withoutKey(store.settings().secrets().keyFile()) : WITH_KEY),
            fields);
  }

  private Saving.Saved save(Saving saving, Path archive) {
    try (Progress progress = store.progress("written")) {
      return saving.save(archive, !withoutKeys, progress);
    } catch (IllegalStateException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private static String withoutBackup(Saving.Saved saved) {
    return saved.withoutBackup().isEmpty()
        ? ""
        : """

        NOT INSIDE, as they have no backup yet, are the databases %s.
        Ask for backups with POST /v1/databases/{database_id}/backups, then run this again.
        """
            .formatted(String.join(", ", saved.withoutBackup()));
  }

  private static String withoutKey(Path key) {
    return """

    The master key is not inside. Keep %s apart: without it the secrets in
    this file can be read by nobody, and it cannot be restored.\
    """
        .formatted(key);
  }
}
