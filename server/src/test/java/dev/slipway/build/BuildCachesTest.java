package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.core.ProjectId;
import dev.slipway.core.TransientException;
import dev.slipway.release.LayerLease;
import dev.slipway.release.LayerStore;
import dev.slipway.release.ReleaseStore;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.Trees;
import dev.slipway.tool.OperatorSettings;
import dev.slipway.tool.Toolbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BuildCachesTest {
  private static final long NEEDED = 10_000;
  private static final ProjectId SHOP = new ProjectId("prj_shop");

  private Path directory;
  private LayerStore layers;
  private FrameworkCaches frameworks;
  private DownloadCaches downloads;
  private Toolbox tools;
  private Set<String> needed = Set.of();
  private long free = 1L << 40;

  @BeforeEach
  void open() throws IOException {
    directory = Files.createTempDirectory("build-caches-test-");
    layers = new ReleaseStore(directory.resolve("releases"), Clock.systemUTC()).layers();
    frameworks = new FrameworkCaches(directory.resolve("frameworks"), Clock.systemUTC());
    tools = toolbox(() -> needed);
    downloads = new DownloadCaches(directory.resolve("downloads"), Clock.systemUTC());
  }

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @Test
  void whatWasUsedLongestAgoGoesFirst() throws IOException {
    keepLayer("old", 1_000, Duration.ofHours(3));
    keepCache(1_000, Duration.ofHours(2));
    keepLayer("young", 1_000, Duration.ofHours(1));

    caches(1_500).trim();

    assertThat(layers.kept()).extracting(LayerStore.Kept::key).containsExactly("young");
    assertThat(frameworks.kept()).isEmpty();
  }

  @Test
  void nothingGoesWhileAllIsBelowItsBounds() throws IOException {
    keepLayer("one", 1_000, Duration.ofHours(3));
    keepCache(1_000, Duration.ofHours(2));

    caches(1 << 20).trim();

    assertThat(layers.kept()).hasSize(1);
    assertThat(frameworks.kept()).hasSize(1);
  }

  @Test
  void aDiskThatRunsFullGivesUpCaches() throws IOException {
    keepLayer("old", 1_000, Duration.ofHours(3));
    keepLayer("young", 1_000, Duration.ofHours(1));
    free = 2 * NEEDED - 500;

    caches(1 << 20).trim();

    assertThat(layers.kept()).extracting(LayerStore.Kept::key).containsExactly("young");
  }

  @Test
  void aBuildIsRefusedWhereFreeingCachesWasNotEnough() throws IOException {
    keepLayer("old", 1_000, Duration.ofHours(3));
    free = NEEDED - 1;

    assertThatThrownBy(() -> caches(1 << 20).requireRoom())
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("limits.disk_free_min");
    assertThat(layers.kept()).isEmpty();
  }

  @Test
  void toolsCountAndGoInTheirTurnUnlessAReleaseNeedsThem() throws IOException {
    keepTool("18.1.0", 1_000_000, Duration.ofHours(4));
    keepTool("20.1.0", 1_000_000, Duration.ofHours(3));
    keepLayer("middle", 1_000, Duration.ofHours(2));
    keepTool("22.1.0", 1_000_000, Duration.ofHours(1));
    needed = Set.of("node@18.1.0");

    caches(1_500_000).trim();

    assertThat(toolNames()).containsExactlyInAnyOrder("18.1.0", "22.1.0");
    assertThat(layers.kept()).hasSize(1);
    free = 0;
    caches(1_500_000).trim();
    assertThat(toolNames()).containsExactly("18.1.0");
  }

  @Test
  void aStoreThatDoesNotAnswerFailsNoBuild() throws IOException {
    keepTool("18.1.0", 1_000, Duration.ofHours(4));
    tools =
        toolbox(() -> {
          throw new TransientException("the store does not answer", new IOException());
        });

    caches(0).trim();

    assertThat(toolNames()).containsExactly("18.1.0");
  }

  @Test
  void whatABuildHoldsStaysOnTheDisk() throws IOException {
    LayerLease held = keep("held", 1_000);
    free = 0;

    caches(0).trim();

    assertThat(held.tree().resolve("file")).exists();
    held.close();
  }

  private BuildCaches caches(long maxBytes) {
    BuildConfig config =
        new BuildConfig(Duration.ofMinutes(1), BuildPlace.LIMITS, 1 << 30, NEEDED, maxBytes);
    return new BuildCaches(layers, frameworks, downloads, tools, config, () -> free);
  }

  private Toolbox toolbox(Supplier<Set<String>> needed) {
    return new Toolbox(
        directory.resolve("tools"),
        Sandbox.strongest(directory),
        OperatorSettings.NONE,
        directory,
        needed,
        Clock.systemUTC());
  }

  private void keepLayer(String key, int bytes, Duration ago) throws IOException {
    keep(key, bytes).close();
    age(directory.resolve("releases/layers").resolve(key), ago);
  }

  private LayerLease keep(String key, int bytes) throws IOException {
    Path tree = Files.createTempDirectory(directory, "tree-");
    Files.writeString(tree.resolve("file"), key.substring(0, 1).repeat(bytes));
    return layers.keep(key, tree, List.of());
  }

  private void keepCache(int bytes, Duration ago) throws IOException {
    Path root = Files.createTempDirectory(directory, "root-");
    Files.createDirectories(root.resolve("cache"));
    Files.writeString(root.resolve("cache/file"), "c".repeat(bytes));
    frameworks.giveBack(SHOP, root, "cache", true);
    age(frameworks.kept().getFirst().place(), ago);
  }

  private void keepTool(String version, int bytes, Duration ago) throws IOException {
    Path place = Files.createDirectories(directory.resolve("tools/node").resolve(version));
    Files.write(place.resolve("node"), new byte[bytes]);
    age(place, ago);
  }

  private List<String> toolNames() throws IOException {
    try (Stream<Path> versions = Files.list(directory.resolve("tools/node"))) {
      return versions.map(path -> path.getFileName().toString()).toList();
    }
  }

  private static void age(Path path, Duration ago) throws IOException {
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(ago)));
  }
}
