package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** While no server runs. */
class AdminWithoutServerTest {
  private final AdminPlace place = new AdminPlace();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void aKeyThatIsMadeWhileTheServerIsStoppedOpensItLater() {
    place.startServer();
    place.stopServer();

    AdminPlace.Result made =
        place.admin("key", "create", "--account", "owner@example.org", "--name", "ci", "--json");

    assertThat(made.err()).isEmpty();
    place.startServer();
    assertThat(place.statusWith(made.json().get("api_key").asText())).isEqualTo(200);
  }

  @Test
  void whereNoServerWasEverStartedNothingIsMade() {
    AdminPlace.Result result = place.admin("account", "list");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("no server", "./slipway server");
    assertThat(place.dataDir()).doesNotExist();
  }

  @Test
  void aLostPasswordOfTheStoreIsNamed() throws IOException {
    place.startServer();
    place.stopServer();
    Files.delete(place.dataDir().resolve("keys").resolve("store-password"));

    AdminPlace.Result result = place.admin("account", "list");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("store-password", "backup").hasLineCount(1);
  }
}
