package dev.slipway.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AtOnce;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.Plane;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InstancesTest {
  private static final int AT_ONCE = 6;
  private final Plane plane = new Plane();

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void instancesThatAreStartedAtOnceHaveAPortEach() throws Exception {
    List<Deployment> built =
        IntStream.range(0, AT_ONCE).mapToObj(i -> plane.built(plane.project("app-" + i))).toList();

    AtOnce.each(built, deployment -> plane.main.jobs.run("activate", deployment.id().value()));

    assertThat(plane.main.runtime.started())
        .extracting(spec -> spec.port())
        .doesNotHaveDuplicates();
    assertThat(plane.main.runtime.running()).hasSize(AT_ONCE);
    assertThat(plane.count("instance")).isEqualTo(AT_ONCE);
    assertThat(built).allMatch(deployment -> plane.read(deployment).status().served());
  }
}
