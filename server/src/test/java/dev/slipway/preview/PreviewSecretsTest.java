package dev.slipway.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.DatabaseId;
import dev.slipway.core.PreviewId;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import dev.slipway.dbproject.DatabaseWish;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.Plane;
import dev.slipway.hook.PullRequest;
import dev.slipway.project.EnvScope;
import dev.slipway.project.Previews;
import dev.slipway.runlog.LogEntry;
import dev.slipway.source.FakeSourceHost;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceRef;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nothing of production's reaches what the author of a pull request wrote. */
class PreviewSecretsTest {
  private Plane plane = new Plane();
  private PreviewPlace shop = new PreviewPlace(plane, plane.project("shop"));

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void itsProgramGetsTheVariablesOfPreviewsAlone() {
    shop.env(EnvScope.PRODUCTION, Map.of("API_TOKEN", "of-production", "GREETING", "hello"));
    shop.env(EnvScope.PREVIEWS, Map.of("API_TOKEN", "of-previews"));

    shop.live(7);

    assertThat(plane.main.runtime.started().getLast().env().values())
        .isEqualTo(Map.of("API_TOKEN", "of-previews", "NODE_ENV", "production"));
  }

  @Test
  void withoutSuchVariablesItGetsNone() {
    shop.env(EnvScope.PRODUCTION, Map.of("API_TOKEN", "of-production"));

    shop.live(7);

    assertThat(plane.main.runtime.started().getLast().env().values())
        .isEqualTo(Map.of("NODE_ENV", "production"));
  }

  @Test
  void otherVariablesAreThereWithTheNextPush() {
    shop.env(EnvScope.PREVIEWS, Map.of("COLOUR", "red"));
    shop.live(7);
    shop.env(EnvScope.PREVIEWS, Map.of("COLOUR", "blue"));
    assertThat(plane.main.runtime.started()).hasSize(1);

    shop.updated(7, PreviewPlace.SECOND);
    plane.main.jobs.runDue();

    assertThat(plane.main.runtime.started().getLast().env().values())
        .containsEntry("COLOUR", "blue");
  }

  @Test
  void productionDoesNotGetTheVariablesOfPreviews() {
    shop.env(EnvScope.PREVIEWS, Map.of("API_TOKEN", "of-previews"));

    plane.deploy(shop.project());

    assertThat(plane.main.runtime.started().getLast().env().values())
        .isEqualTo(Map.of("GREETING", "hello", "NODE_ENV", "production"));
  }

  @Test
  void itWorksWithoutTheDatabaseOfItsProject() {
    DatabaseId database = database();
    plane.main.projects.change(
        plane.account, shop.project().id(), Optional.empty(), old -> old.withDatabase(database));

    Preview live = shop.live(7);

    assertThat(shop.newest(live).database()).isEmpty();
    assertThat(shop.behind(live).settings().database()).isEmpty();
    assertThat(plane.main.runtime.started().getLast().env().values())
        .doesNotContainKey("DATABASE_URL");
  }

  @Test
  void theVariablesOfProductionCannotBePutInThePlaceOfThoseOfPreviews() {
    plane.database.useTransaction(
        tx -> tx.execute("UPDATE project SET preview_env = env WHERE preview_of IS NULL"));

    assertThatThrownBy(() -> shop.opened(7)).hasMessageContaining("preview_env");
  }

  @Test
  void whatProductionBuiltFromTheSameCommitIsNotUsed() {
    realBuilds();
    Deployment production = plane.deploy(shop.project());
    PullRequest same = shop.pullRequest(7, PullRequest.Action.OPENED, FakeSourceHost.HEAD.sha());

    PreviewId id = shop.take(same).preview().orElseThrow();
    plane.main.jobs.runDue();

    Deployment preview = shop.newest(shop.read(id));
    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.LIVE);
    assertThat(preview.releaseId()).isPresent().isNotEqualTo(production.releaseId());
    assertThat(plane.log(preview.logId()))
        .extracting(LogEntry::message)
        .noneMatch(line -> line.startsWith("It was built before"));
    assertThat(plane.host.asked().getLast())
        .isEqualTo(
            new SourceRef(
                new RepoName("acme/shop"), "cart", Optional.of(FakeSourceHost.HEAD.sha())));
  }

  @Test
  void whatAPreviewBuiltIsNotUsedForProduction() {
    realBuilds();
    PullRequest same = shop.pullRequest(7, PullRequest.Action.OPENED, FakeSourceHost.HEAD.sha());
    PreviewId id = shop.take(same).preview().orElseThrow();
    plane.main.jobs.runDue();

    Deployment production = plane.deploy(shop.project());

    assertThat(production.releaseId())
        .isPresent()
        .isNotEqualTo(shop.newest(shop.read(id)).releaseId());
  }

  @Test
  void whatAForkDownloadsAndItsSubmodulesAreKeptApartFromProduction() {
    realBuilds();
    shop.set(Previews.UNLISTED, true);
    PullRequest fork =
        PreviewPlace.ofFork(
            shop.pullRequest(7, PullRequest.Action.OPENED, FakeSourceHost.HEAD.sha()));

    PreviewId id = shop.take(fork).preview().orElseThrow();
    plane.main.jobs.runDue();

    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.LIVE);
    assertThat(plane.host.asked().getLast().ofStrangers()).isTrue();
    Path caches = plane.directory.resolve("caches");
    assertThat(caches.resolve(plane.account + "-strangers")).isDirectory();
    assertThat(caches.resolve(plane.account.value())).doesNotExist();
  }

  private void realBuilds() {
    plane.close();
    plane = new Plane(new Plane.Settings(10, 100, true));
    shop = new PreviewPlace(plane, plane.project("shop"));
    plane.host.write(
        "package.json",
        """
        {"name": "shop", "dependencies": {"express": "file:vendor/express"},
         "scripts": {"start": "node server.js"}}
        """);
    plane.host.write(
        "vendor/express/package.json", "{\"name\": \"express\", \"version\": \"1.0.0\"}");
    plane.host.write("server.js", "require('express');\n");
  }

  private DatabaseId database() {
    DatabasePlace place =
        new DatabasePlace(DatabaseType.POSTGRES, "db.example.org", 5432, "shop", Map.of());
    DatabaseWish wish =
        new DatabaseWish.Connect(
            new DatabaseLink(place, new DatabaseLogin("shop", new Secret("a-password"))));
    return plane.database.inTransaction(
        tx -> plane.databases.service().add(tx, plane.account, wish));
  }
}
