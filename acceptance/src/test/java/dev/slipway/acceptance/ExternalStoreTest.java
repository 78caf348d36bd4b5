package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.db.EmbeddedPostgres;
import dev.slipway.db.PostgresSettings;
import dev.slipway.db.StoreAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ExternalStoreTest {
  @Test
  void theServerKeepsEverythingInThePostgresThatItIsGiven() throws IOException {
    Path directory = Files.createTempDirectory("slipway-external-store");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(PostgresSettings.below(directory));
        SlipwayProcess slipway =
            SlipwayProcess.start(_ -> Map.of("store", section(postgres.address())))) {
      App app = slipway.migrate(ExpressApp.named("elsewhere"));
      assertThat(slipway.dataDir().resolve("postgres")).doesNotExist();

      slipway.kill();
      slipway.startAgain();

      assertThat(app.visit().body()).isEqualTo("elsewhere plain");
      assertThat(app.first().isCurrent()).isTrue();
      String config = slipway.configuration().toString();
      assertThat(
              Programs.run(
                  Path.of("/"), Slipway.command("admin", "account", "list", "--config", config)))
          .as("commands work on the same store")
          .contains(SlipwayProcess.EMAIL);
    } finally {
      Programs.run(Path.of("/"), "rm", "-rf", directory.toString());
    }
  }

  private static String section(StoreAddress address) {
    return "{url: \"%s\", user: \"%s\", password: \"%s\"}"
        .formatted(address.jdbcUrl(), address.user(), address.password().reveal());
  }
}
