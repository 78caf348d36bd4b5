package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan;
import dev.slipway.release.ReleaseFiles;
import dev.slipway.release.ReleaseStore;
import dev.slipway.release.Written;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PackerTest {
  private static final Serving PROGRAM = Serving.Program.of(List.of("node", "a.js"), Map.of());
  private static final Serving SITE = new Serving.Site("web/dist", Optional.of("index.html"), true);

  private final ReleaseId id = ReleaseId.of(DeploymentId.next());
  private Path directory;
  private Path app;
  private ReleaseStore store;
  private Packer packer;

  @BeforeEach
  void open() throws IOException {
    directory = Files.createTempDirectory("packer-test-");
    app = Files.createDirectories(directory.resolve("build/app"));
    store = new ReleaseStore(directory.resolve("releases"), Clock.systemUTC());
    packer = new Packer(store);
    write("web/node_modules/vite/index.js", "a bundler");
  }

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @Test
  void aProgramKeepsAllOfItsBuild() {
    Packer.Packed packed = pack(PROGRAM);

    assertThat(packed.serving()).isEqualTo(PROGRAM);
    assertThat(store.trees(id).getFirst().resolve("web/node_modules/vite/index.js")).exists();
  }

  @Test
  void aSiteKeepsItsDirectoryAloneAndIsCompressed() throws IOException {
    write("web/dist/index.html", "<h1>");
    write("web/dist/assets/app.js", "let shop = 'open';\n".repeat(200));

    Packer.Packed packed = pack(SITE);

    assertThat(packed.release().files()).isEqualTo(2);
    assertThat(packed.serving()).isEqualTo(new Serving.Site("", Optional.of("index.html"), true));
    ReleaseFiles files = store.files(id, "");
    assertThat(files.contents())
        .extracting(ReleaseFiles.Content::path)
        .containsExactly("assets/app.js", "index.html");
    assertThat(files.contents().getFirst().coded()).isNotEmpty();
    assertThat(directory.resolve("releases/trees")).isEmptyDirectory();
  }

  @Test
  void anEmptySiteIsAFailedBuild() throws IOException {
    Files.createDirectories(app.resolve("web/dist/assets"));

    assertThatThrownBy(() -> pack(SITE))
        .isInstanceOf(AppFailure.class)
        .hasMessage(
            "The build left the directory web/dist empty; set output_directory to the one that it writes.");
  }

  private Packer.Packed pack(Serving serving) {
    BuildPlan plan =
        new BuildPlan(
            "any", "web", List.of(), Optional.empty(), List.of(), serving, List.of(), List.of());
    return packer.pack(
        id, new Written(app, Set.of()), Optional.empty(), plan, new KeptLog().open(List.of()));
  }

  private void write(String name, String text) throws IOException {
    Path file = app.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
