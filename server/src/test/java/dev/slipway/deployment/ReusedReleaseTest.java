package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.LIVE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.EnvVars;
import dev.slipway.project.Project;
import dev.slipway.runlog.LogEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real builds of an application without a build script. */
class ReusedReleaseTest {
  private final Plane plane = new Plane(new Plane.Settings(10, 100, true));
  private Project shop;

  @BeforeEach
  void createProject() {
    shop = plane.project("shop");
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

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void theSameCommitIsBuiltOnceWhateverTheProgramsVariables() {
    Deployment first = plane.deploy(shop);
    Deployment second = deploy(Map.of("GREETING", "hello"));
    Deployment third = deploy(Map.of("NODE_ENV", "development"));

    assertThat(List.of(first, second, third)).allMatch(it -> it.status() == LIVE);
    assertThat(second.releaseId()).isEqualTo(first.releaseId());
    assertThat(second.code().commit()).isEqualTo(first.code().commit());
    assertThat(second.buildDuration()).contains(Duration.ZERO);
    assertThat(messages(second))
        .anyMatch(line -> line.startsWith("It was built before"))
        .noneMatch(line -> line.startsWith("$ npm"));
    assertThat(third.releaseId()).isNotEqualTo(first.releaseId());
    assertThat(messages(third)).anyMatch(line -> line.startsWith("$ npm"));
    assertThat(plane.count("release")).isEqualTo(2);
  }

  @Test
  void whatABuildLeavesForLaterOnesIsBoundedWhenNobodyWaitsForItAnyMore() {
    plane.main.jobs.run(BuildJob.KIND, plane.trigger(shop).id().value());
    assertThat(plane.main.jobs.waiting(TrimJob.KIND)).hasSize(1);

    plane.main.jobs.runDue();
    assertThat(plane.main.jobs.waiting(TrimJob.KIND)).isEmpty();
  }

  @Test
  void itIsBuiltAgainForWhoAsksForThat() {
    Deployment first = plane.deploy(shop);
    Deployment asked =
        plane
            .main
            .deployments
            .service()
            .trigger(
                plane.account,
                shop.id(),
                new Wanted(Optional.empty(), Optional.empty(), true),
                EnvVars.NONE,
                Trigger.API);
    plane.main.jobs.runDue();
    Deployment second = plane.read(asked);

    assertThat(second.status()).isEqualTo(LIVE);
    assertThat(second.releaseId()).isNotEqualTo(first.releaseId());
    assertThat(messages(second)).noneMatch(line -> line.startsWith("It was built before"));
  }

  @Test
  void aReleaseThatIsNotKeptAnyMoreIsBuiltAgain() {
    Deployment first = plane.deploy(shop);
    plane.database.useTransaction(
        tx -> plane.records.releases().pruneAll(tx, shop.id(), plane.clock.instant()));

    Deployment second = plane.deploy(shop);

    assertThat(second.status()).isEqualTo(LIVE);
    assertThat(second.releaseId()).isNotEqualTo(first.releaseId());
  }

  private Deployment deploy(Map<String, String> env) {
    Deployment asked = plane.trigger(shop, new EnvVars(env));
    plane.main.jobs.runDue();
    return plane.read(asked);
  }

  private List<String> messages(Deployment deployment) {
    return plane.log(deployment.logId()).stream().map(LogEntry::message).toList();
  }
}
