package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a newcomer looks at before the first migration. */
@ExtendWith(SharedSlipway.class)
final class ReferenceTest {
  private final Api api;

  ReferenceTest(SlipwayProcess slipway) {
    this.api = slipway.api();
  }

  @Test
  void thePageAndTheContractsAreServedToAnybody() {
    Reply page = api.send(api.anonymous("/docs"));
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body()).contains("/docs/scalar.js");
    assertThat(api.send(api.anonymous("/docs/scalar.js")).body()).contains("createApiReference");
    for (String base : new String[] {"/v1", "/sandbox"}) {
      Reply contract = api.send(api.anonymous(base + "/openapi.json"));
      assertThat(contract.json().get("openapi").asText()).isEqualTo("3.1.0");
      assertThat(contract.json().at("/servers/0/url").asText())
          .matches("http://localhost:\\d+" + base);
    }
  }

  @Test
  void thePlantStoreAnswersAPlantAndFlatErrors() {
    Reply made = api.send(api.json("/sandbox/plants", "{\"id\": 1, \"name\": \"Monstera\"}"));
    assertThat(made.status()).isEqualTo(200);
    assertThat(made.body()).isEqualTo("{\"name\":\"Monstera\"}");

    Reply nameless = api.send(api.json("/sandbox/plants", "{\"id\": 1}"));
    assertThat(nameless.status()).isEqualTo(400);
    assertThat(nameless.json().get("error").asInt()).isEqualTo(400);
    assertThat(nameless.json().get("message").asText()).contains("name");

    Reply keyless = api.send(api.anonymous("/sandbox/plants").POST(BodyPublishers.ofString("{}")));
    assertThat(keyless.status()).isEqualTo(401);
    assertThat(keyless.json().get("error").asInt()).isEqualTo(401);
    assertThat(keyless.header("x-ratelimit-limit")).isPresent();
  }
}
