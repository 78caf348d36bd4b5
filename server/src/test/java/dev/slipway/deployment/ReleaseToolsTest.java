package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.project.Project;
import dev.slipway.runtime.InstanceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What releases remember of the tools that they were built with. */
class ReleaseToolsTest {
  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aProgramIsStartedWithTheToolsOfItsRelease() throws IOException {
    Deployment one = plane.deploy(shop);
    plane.deploy(shop);
    Path node = kept("18.1.0");
    allReleasesNeed("node@18.1.0");

    plane.rolledBackTo(one);

    InstanceSpec.Tools tools = plane.main.runtime.started().getLast().tools();
    assertThat(tools.directories()).containsExactly(node);
    assertThat(tools.path()).containsExactly(node.resolve("bin"));
  }

  @Test
  void aToolThatNoReleaseNamesIsDeletedWhenItIsLongUnused() throws IOException {
    plane.deploy(shop);
    Path named = kept("20.1.0");
    Path other = kept("18.1.0");
    allReleasesNeed("node@20.1.0");

    plane.main.jobs.run(PruneJob.KIND, shop.id().value());

    assertThat(named).exists();
    assertThat(other).doesNotExist();
  }

  /** A tool that was fetched and has not been used for a month. */
  private Path kept(String version) throws IOException {
    Path tool = Files.createDirectories(plane.directory.resolve("tools/node").resolve(version));
    FileTime then = FileTime.from(plane.clock.instant().minus(Duration.ofDays(30)));
    return Files.setLastModifiedTime(tool, then);
  }

  private void allReleasesNeed(String tool) {
    plane.database.useTransaction(tx -> tx.execute("UPDATE release SET tools = ARRAY[?]", tool));
  }
}
