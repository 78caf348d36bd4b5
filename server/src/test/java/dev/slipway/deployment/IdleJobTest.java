package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.Eventually;
import dev.slipway.core.InstanceId;
import dev.slipway.edge.Traffic;
import dev.slipway.project.Project;
import dev.slipway.project.Settings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What comes between the closing of the gates and the sleep. */
class IdleJobTest {
  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");
  private final HandTraffic traffic = new HandTraffic();
  private final IdleJob job =
      new IdleJob(
          plane.database,
          plane.records,
          plane.main.instances,
          plane.main.routes,
          traffic,
          plane.clock);

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void whereNothingComesBetweenItSleeps() {
    Deployment live = plane.deploy(shop);
    maySleep(1);

    job.run(shop.id().value());

    assertThat(awake(live)).isEmpty();
    assertThat(traffic.closed).isTrue();
  }

  @Test
  void aRequestThatCameLastKeepsItAwake() {
    Deployment live = plane.deploy(shop);
    maySleep(1);
    traffic.busy = true;

    job.run(shop.id().value());

    assertThat(awake(live)).hasSize(1);
  }

  @Test
  void anInstanceThatCameMeanwhileKeepsItAwakeAsItsGateIsOpen() {
    Deployment live = plane.deploy(shop);
    maySleep(1);
    traffic.whenClosed =
        () -> {
          maySleep(2);
          plane.main.jobs.runDue();
          Eventually.holds("another one serves", () -> awake(live).size() == 2);
        };

    job.run(shop.id().value());

    assertThat(awake(live)).hasSize(2);
    assertThat(traffic.closed).isFalse();
  }

  @Test
  void itsOwnerWhoTakesItBackMeanwhileKeepsItAwake() {
    Deployment live = plane.deploy(shop);
    maySleep(1);
    traffic.whenClosed = () -> change(old -> settings(old, 1, Optional.empty()));

    job.run(shop.id().value());

    assertThat(awake(live)).hasSize(1);
    assertThat(traffic.closed).isFalse();
  }

  @Test
  void whereItCannotBeWrittenDownItIsAskedAgain() {
    plane.deploy(shop);
    maySleep(1);
    traffic.whenClosed =
        () ->
            plane.database.useTransaction(
                tx -> tx.execute("ALTER TABLE project RENAME COLUMN asleep_deployment_id TO lost"));

    assertThatThrownBy(() -> job.run(shop.id().value())).isInstanceOf(RuntimeException.class);

    assertThat(traffic.closed).isFalse();
  }

  private List<InstanceId> awake(Deployment live) {
    return plane.main.instances.healthy(live.id());
  }

  private void maySleep(int instances) {
    change(old -> settings(old, instances, Optional.of(Duration.ofMinutes(1))));
  }

  private void change(UnaryOperator<Settings> edit) {
    plane.main.projects.change(plane.account, shop.id(), Optional.empty(), edit);
  }

  private static Settings settings(Settings old, int instances, Optional<Duration> sleepAfter) {
    return new Settings(
        old.branch(),
        old.instanceType(),
        instances,
        old.autoDeploy(),
        old.previews(),
        old.previewForks(),
        sleepAfter,
        old.database(),
        old.overrides());
  }

  private static final class HandTraffic implements Traffic {
    boolean busy;
    boolean closed;
    Runnable whenClosed = () -> {};

    @Override
    public Map<InstanceId, Duration> idle(Collection<InstanceId> instances) {
      return instances.stream().collect(Collectors.toMap(it -> it, _ -> Duration.ofHours(1)));
    }

    @Override
    public boolean closeIdle(Collection<InstanceId> instances, Duration atLeast) {
      if (busy) {
        return false;
      }
      closed = true;
      whenClosed.run();
      return true;
    }

    @Override
    public void reopen(Collection<InstanceId> instances) {
      closed = false;
    }

    @Override
    public CompletableFuture<Boolean> drain(InstanceId instance, Duration limit) {
      return CompletableFuture.completedFuture(true);
    }
  }
}
