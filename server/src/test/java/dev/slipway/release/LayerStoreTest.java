package dev.slipway.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ReleaseId;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LayerStoreTest {
  private Path directory;
  private ReleaseStore store;

  @BeforeEach
  void open() throws IOException {
    directory = Files.createTempDirectory("layers-test-");
    store = store(Clock.systemUTC());
  }

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @Test
  void aLayerIsFoundByItsKeyWithItsWarnings() throws IOException {
    try (LayerLease kept =
        keep("key", tree("node_modules/a", "a"), List.of("Mind the lockfile."))) {
      assertThat(kept.tree().resolve("node_modules/a")).hasContent("a");
    }

    try (LayerLease found = store(Clock.systemUTC()).layers().find("key").orElseThrow()) {
      assertThat(found.tree().resolve("node_modules/a")).hasContent("a");
      assertThat(found.warnings()).containsExactly("Mind the lockfile.");
    }
    assertThat(store.layers().find("other")).isEmpty();
  }

  @Test
  void equalTreesUnderTwoKeysAreOneLayer() throws IOException {
    try (LayerLease one = keep("one", tree("a", "a"), List.of());
        LayerLease two = keep("two", tree("a", "a"), List.of())) {
      assertThat(two.id()).isEqualTo(one.id());
      assertThat(two.tree()).isEqualTo(one.tree());
    }
    assertThat(directory.resolve("store/trees")).isDirectoryContaining(path -> true);
  }

  @Test
  void aReleaseOnALayerHoldsItsOwnFilesAlone() throws IOException {
    ReleaseId id = ReleaseId.of(DeploymentId.next());
    try (LayerLease layer = keep("key", tree("node_modules/a", "a"), List.of())) {
      Release release =
          store.pack(id, new Written(tree("server.js", "run"), Set.of()), Optional.of(layer));
      assertThat(release.files()).isEqualTo(2);
    }

    List<Path> trees = store.trees(id);

    assertThat(trees).hasSize(2);
    assertThat(trees.getFirst().resolve("server.js")).hasContent("run");
    assertThat(trees.getFirst().resolve("node_modules")).doesNotExist();
    assertThat(trees.getLast().resolve("node_modules/a")).hasContent("a");
  }

  @Test
  void whatABuildTookAwayFromALayerIsNotInItsRelease() throws IOException {
    Path dependencies = tree("node_modules/a/index.js", "a");
    write(dependencies, "node_modules/b/index.js", "b");
    write(dependencies, "node_modules/c/index.js", "c");
    Path app = tree("node_modules/b/index.js", "patched");
    ReleaseId id = ReleaseId.of(DeploymentId.next());

    try (LayerLease layer = keep("key", dependencies, List.of())) {
      store.pack(id, new Written(app, Set.of("node_modules/a")), Optional.of(layer));
      assertThat(layer.tree().resolve("node_modules/a/index.js")).hasContent("a");
      assertThat(layer.tree().resolve("node_modules/b/index.js")).hasContent("b");
    }

    for (boolean rebuilt : new boolean[] {false, true}) {
      if (rebuilt) {
        store.dropTree(id);
      }
      assertThat(store.trees(id)).hasSize(1);
      Path tree = store.trees(id).getFirst();
      assertThat(tree.resolve("node_modules/a")).doesNotExist();
      assertThat(tree.resolve("node_modules/b/index.js")).hasContent("patched");
      assertThat(tree.resolve("node_modules/c/index.js")).hasContent("c");
    }
  }

  @Test
  void aFileInThePlaceOfADirectoryHidesWhatWasInIt() throws IOException {
    ReleaseId id = ReleaseId.of(DeploymentId.next());
    try (LayerLease layer = keep("key", tree("lib/a", "a"), List.of())) {
      store.pack(id, new Written(tree("lib", "a file"), Set.of()), Optional.of(layer));
    }

    assertThat(store.trees(id)).hasSize(1);
    assertThat(store.trees(id).getFirst().resolve("lib")).hasContent("a file");
  }

  @Test
  void tenReleasesOnOneLayerTakeLittleMoreThanOne() throws Exception {
    Path modules = Files.createTempDirectory(directory, "modules-");
    for (int i = 0; i < 400; i++) {
      write(modules, "node_modules/p%d/lib/index.js".formatted(i), ("line " + i + "\n").repeat(50));
    }
    long one = 0;
    try (LayerLease layer = keep("key", modules, List.of())) {
      for (int i = 0; i < 10; i++) {
        Path app = tree("page.js", "version " + i);
        for (int page = 0; page < 20; page++) {
          write(app, ".next/server/" + page, ("page " + page + "\n").repeat(500));
        }
        store.pack(
            ReleaseId.of(DeploymentId.next()), new Written(app, Set.of()), Optional.of(layer));
        one = i == 0 ? diskKilobytes() : one;
      }
    }

    assertThat(diskKilobytes()).isLessThanOrEqualTo(one * 13 / 10);
  }

  @Test
  void collectingKeepsLayersOfReleasesAndOfKeys() throws IOException {
    ReleaseStore later = store(Clock.offset(Clock.systemUTC(), Duration.ofDays(2)));
    ReleaseId id = ReleaseId.of(DeploymentId.next());
    try (LayerLease layer = keep(later, "key", tree("a", "a"))) {
      later.pack(id, new Written(tree("app", "app"), Set.of()), Optional.of(layer));
    }

    later.collect(Set.of(id));
    later.layers().forget(Set.of("key"));
    later.collect(Set.of(id));
    assertThat(later.trees(id).getLast().resolve("a")).hasContent("a");
    assertThat(later.layers().find("key")).isEmpty();

    later.collect(Set.of());
    assertThat(objects()).isZero();
    assertThat(directory.resolve("store/trees")).isEmptyDirectory();
  }

  @Test
  void forgettingAKeyFreesTheDiskAtOnceButNeverWhatSomebodyHolds() throws IOException {
    LayerLease held = keep("held", tree("a", "a"), List.of());
    keep("free", tree("b", "b"), List.of()).close();

    store.layers().forget(Set.of("held", "free"));

    assertThat(held.tree().resolve("a")).hasContent("a");
    assertThat(store.layers().kept()).isEmpty();
    held.close();
    store.layers().forget(Set.of());
    assertThat(directory.resolve("store/trees")).isEmptyDirectory();
    assertThat(objects()).isZero();
  }

  @Test
  void aServerThatWasKilledBeforeALayerWasDurableDoesNotFindIt() throws IOException {
    LayerLease unwritten = keep("key", tree("a", "a"), List.of());
    assertThat(unwritten.tree()).exists();

    ReleaseStore next = store(Clock.offset(Clock.systemUTC(), Duration.ofDays(2)));

    assertThat(next.layers().find("key")).isEmpty();
    next.collect(Set.of());
    assertThat(directory.resolve("store/trees")).isEmptyDirectory();
  }

  private LayerLease keep(String key, Path tree, List<String> warnings) {
    return store.layers().keep(key, tree, warnings);
  }

  private static LayerLease keep(ReleaseStore store, String key, Path tree) {
    return store.layers().keep(key, tree, List.of());
  }

  private ReleaseStore store(Clock clock) {
    return new ReleaseStore(directory.resolve("store"), clock);
  }

  private Path tree(String name, String text) throws IOException {
    Path tree = Files.createTempDirectory(directory, "tree-");
    write(tree, name, text);
    return tree;
  }

  private static void write(Path tree, String name, String text) throws IOException {
    Path file = tree.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private long diskKilobytes() throws Exception {
    Process du = new ProcessBuilder("du", "-sk", directory.resolve("store").toString()).start();
    String output = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Long.parseLong(output.substring(0, output.indexOf('\t')));
  }

  private long objects() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("store/objects"))) {
      return files.filter(Files::isRegularFile).count();
    }
  }
}
