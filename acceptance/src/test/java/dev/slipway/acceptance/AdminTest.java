package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code slipway admin} as a process of its own, beside a server that runs. */
@ExtendWith(SharedSlipway.class)
final class AdminTest {
  private final SlipwayProcess slipway;

  AdminTest(SlipwayProcess slipway) {
    this.slipway = slipway;
  }

  @Test
  void aNewAccountWorksWithItsKeyUntilThatIsRevoked() {
    JsonNode made = admin("account", "create", "--email", "ada@example.org", "--tier", "free");
    String key = made.get("api_key").asText();
    Reply empty = list(key);
    assertThat(empty.status()).isEqualTo(200);
    assertThat(empty.header("x-ratelimit-limit")).as("of the tier").hasValue("30");
    assertThat(empty.json().get("data")).as("nothing of another account").isEmpty();

    admin("key", "revoke", made.get("key_id").asText());

    assertThat(list(key).status()).isEqualTo(401);
    assertThat(slipway.serverLogText()).doesNotContain(key);
  }

  private Reply list(String key) {
    return slipway
        .api()
        .send(slipway.api().anonymous("/v1/migrations").header("Authorization", "Bearer " + key));
  }

  private JsonNode admin(String... arguments) {
    List<String> line = new ArrayList<>(List.of("admin"));
    line.addAll(List.of(arguments));
    line.addAll(List.of("--json", "--config", slipway.configuration().toString()));
    return Api.parse(Programs.run(Path.of("/"), Slipway.command(line.toArray(String[]::new))));
  }
}
