package dev.slipway.preview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Eventually;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.PreviewId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.Plane;
import dev.slipway.hook.PullRequest;
import dev.slipway.runlog.LogEntry;
import dev.slipway.source.FakeSourceHost;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens to a pull request while a real build of it, which never ends, is under way. */
@Timeout(120)
class PreviewUnderWayTest {
  private final Plane plane = new Plane(new Plane.Settings(10, 100, true));
  private final PreviewPlace shop = new PreviewPlace(plane, plane.project("shop"));

  @BeforeEach
  void buildsNeverEnd() {
    plane.host.write(
        "package.json",
        """
        {"name": "shop", "dependencies": {"express": "file:vendor/express"},
         "scripts": {"build": "node build.js", "start": "node server.js"}}
        """);
    plane.host.write(
        "vendor/express/package.json", "{\"name\": \"express\", \"version\": \"1.0.0\"}");
    plane.host.write("server.js", "require('express');\n");
    plane.host.write("build.js", "console.log('begun'); setInterval(() => {}, 1000);\n");
  }

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void closedItsBuildIsStoppedAndNothingOfItIsLeft() throws Exception {
    PreviewId id = opened();
    Deployment building = shop.newest(shop.read(id));
    CompletableFuture<?> build = begin(building);

    shop.closed(7);

    build.get(60, TimeUnit.SECONDS);
    assertThat(plane.read(building).failure()).map(Failure::code).contains(FailureCode.CANCELED);
    assertThat(directory(building)).doesNotExist();
    plane.main.jobs.runDue();
    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.REMOVED);
    assertThat(plane.main.runtime.started()).isEmpty();
    assertThat(plane.count("release")).isZero();
  }

  @Test
  void askedForAgainTheBuildIsStoppedAndTheNewerOneGoesLive() throws Exception {
    PreviewId id = opened();
    Deployment older = shop.newest(shop.read(id));
    CompletableFuture<?> build = begin(older);

    plane.host.write("build.js", "");
    var _ = shop.service().redeploy(plane.account, shop.project().id(), id);

    build.get(60, TimeUnit.SECONDS);
    assertThat(plane.read(older).failure()).map(Failure::code).contains(FailureCode.SUPERSEDED);
    plane.main.jobs.runDue();
    assertThat(shop.read(id).status()).isEqualTo(PreviewStatus.LIVE);
    assertThat(plane.main.runtime.running()).hasSize(1);
  }

  private PreviewId opened() {
    return shop.take(shop.pullRequest(7, PullRequest.Action.OPENED, FakeSourceHost.HEAD.sha()))
        .preview()
        .orElseThrow();
  }

  /** Returns when the program of the build runs. */
  private CompletableFuture<?> begin(Deployment deployment) {
    CompletableFuture<?> build =
        CompletableFuture.runAsync(
            () -> plane.main.jobs.run("build", deployment.id().value()),
            task -> Thread.ofPlatform().daemon().start(task));
    Eventually.holds(
        "the build has begun",
        () ->
            plane.log(deployment.logId()).stream()
                .map(LogEntry::message)
                .anyMatch("begun"::equals));
    return build;
  }

  private Path directory(Deployment deployment) {
    return plane.directory.resolve("builds").resolve(deployment.id().value());
  }
}
