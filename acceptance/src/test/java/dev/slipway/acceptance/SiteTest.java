package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedSlipway.class)
final class SiteTest {
  private final SlipwayProcess slipway;

  SiteTest(SlipwayProcess slipway) {
    this.slipway = slipway;
  }

  @Test
  void aSiteGoesLiveIsDeployedAgainAndRolledBack() {
    Repository repository = slipway.repository();
    repository.commit(site("one", "assets/app-B7PI925R.js"));
    App app = migrate(repository);
    assertThat(app.visit().body()).isEqualTo("<h1>one</h1>");
    Reply script = slipway.visit(app.host(), "/assets/app-B7PI925R.js");
    assertThat(script.body()).isEqualTo("// one");
    assertThat(script.header("cache-control")).hasValue("public, max-age=31536000, immutable");
    assertThat(slipway.visit(app.host(), "/orders/7").body()).isEqualTo("<h1>one</h1>");
    assertThat(slipway.visit(app.host(), "/assets/none.js").status()).isEqualTo(404);

    repository.delete("site/assets/app-B7PI925R.js");
    repository.commit(site("two", "assets/app-Xk2_9aQz.js"));
    Deployment second = app.deploy().awaitLive();
    assertThat(app.visit().body()).isEqualTo("<h1>two</h1>");
    assertThat(slipway.visit(app.host(), "/assets/app-B7PI925R.js").body())
        .as("a page that was loaded before finds its files")
        .isEqualTo("// one");
    assertThat(slipway.visit(app.first().previewHost(), "/").body()).isEqualTo("<h1>one</h1>");

    app.rollBackTo(app.first()).awaitLive();
    assertThat(app.visit().body()).isEqualTo("<h1>one</h1>");
    assertThat(second.status()).isEqualTo("rolled_back");
  }

  private App migrate(Repository repository) {
    JsonNode made =
        slipway
            .api()
            .post(
                "/v1/migrations",
                Map.of(
                    "source", "folder",
                    "repo", repository.name(),
                    "framework", "react-vite",
                    "output_directory", "site"));
    App app = App.of(slipway, slipway.api().get("/v1/migrations/" + made.get("id").asText()));
    app.first().awaitLive();
    return app;
  }

  /** Nothing has to be built. */
  private static Map<String, String> site(String name, String script) {
    return Map.of("site/index.html", "<h1>" + name + "</h1>", "site/" + script, "// " + name);
  }
}
