package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.FailureCode;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Install;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.release.Release;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.Trees;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real programs in the sandbox, with overlays and with copies: both must come to the same. */
class ReuseTest {
  private final KeptLog log = new KeptLog();
  private Path directory;
  private Path source;
  private Path data;

  @BeforeEach
  void make() throws IOException {
    directory = Files.createTempDirectory("reuse-test-");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    data = directory.resolve("data");
    source = directory.resolve("source");
    write("lock", "one");
    write("app/server.js", "first");
  }

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dependenciesAreInstalledOnceForEqualInputs(boolean overlays) throws Exception {
    Built first = build(overlays, "mkdir -p deps/a && cp lock deps/a/index", "cat deps/a/index");
    write("app/server.js", "second");
    Built second = build(overlays, "mkdir -p deps/a && cp lock deps/a/index", "cat deps/a/index");
    write("lock", "two");
    Built third = build(overlays, "mkdir -p deps/a && cp lock deps/a/index", "cat deps/a/index");

    assertThat(first.text("deps/a/index")).isEqualTo("one");
    assertThat(first.text("app/server.js")).isEqualTo("first");
    assertThat(second.text("deps/a/index")).isEqualTo("one");
    assertThat(second.text("app/server.js")).isEqualTo("second");
    assertThat(third.text("deps/a/index")).isEqualTo("two");
    assertThat(log.messages()).filteredOn(line -> line.startsWith("$ sh -c mkdir")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatABuildChangesOfItsDependenciesIsItsOwn(boolean overlays) throws Exception {
    String install = "mkdir -p deps/a deps/b deps/c && touch deps/a/x deps/b/x deps/c/x";
    String change =
        "rm -r deps/a && rm -r deps/b && mkdir deps/b && echo new >deps/b/y && rm app/server.js";

    Built changed = build(overlays, install, change);
    Built unchanged = build(overlays, install, "true");

    assertThat(changed.files()).containsExactlyInAnyOrder("lock", "deps/b/y", "deps/c/x");
    assertThat(unchanged.files())
        .containsExactlyInAnyOrder("lock", "app/server.js", "deps/a/x", "deps/b/x", "deps/c/x");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anInstallThatChangesTheRepositorysFilesIsRunByEachBuild(boolean overlays) throws Exception {
    String install = "mkdir -p deps && touch deps/x && echo generated >app/server.js";

    Built first = build(overlays, install, "true");
    Built second = build(overlays, install, "true");

    assertThat(first.text("app/server.js")).isEqualTo("generated\n");
    assertThat(second.text("app/server.js")).isEqualTo("generated\n");
    assertThat(second.files()).contains("deps/x");
    assertThat(log.messages()).filteredOn(line -> line.startsWith("$ sh -c mkdir")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLockfileThatAnInstallRewritesStaysThatOfTheRepository(boolean overlays) throws Exception {
    String install = "mkdir -p deps && touch deps/x && echo rewritten >lock";

    Built first = build(overlays, install, "cat lock");
    Built second = build(overlays, install, "cat lock");

    assertThat(first.text("lock")).isEqualTo("one");
    assertThat(second.text("lock")).isEqualTo("one");
    assertThat(log.messages()).filteredOn(line -> line.startsWith("$ sh -c mkdir")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCacheOfTheFrameworkGoesFromBuildToBuildAndIntoNoRelease(boolean overlays) throws Exception {
    String build =
        "cat .next/cache/n; mkdir -p .next/cache && echo more >>.next/cache/n && cp .next/cache/n .next/out";
    build(overlays, "true", "mkdir -p .next/cache && echo once >.next/cache/n");

    Built second = build(overlays, "true", build);

    assertThat(second.text(".next/out")).isEqualTo("once\nmore\n");
    assertThat(second.files()).noneMatch(name -> name.startsWith(".next/cache"));
  }

  private record Built(BuildPlace place, Release release) {
    String text(String name) throws IOException {
      return Files.readString(place.released(name).orElseThrow());
    }

    List<String> files() {
      return place.releases().trees(release.id()).stream().flatMap(Built::filesOf).toList();
    }

    private static Stream<String> filesOf(Path tree) {
      try (Stream<Path> all = Files.walk(tree)) {
        return all
            .filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
            .map(path -> tree.relativize(path).toString())
            .toList()
            .stream();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Built build(boolean overlays, String install, String build) throws Exception {
    return build(overlays, install, List.of(step("build", build)));
  }

  private Built build(boolean overlays, String install, List<Step> steps) throws Exception {
    DeploymentId id = DeploymentId.next();
    BuildPlace place =
        new BuildPlace(data, directory.toUri(), id, ReleaseId.of(id), new EnvVars(Map.of()));
    BuildPlan plan =
        new BuildPlan(
            "node-express",
            "",
            List.of(),
            Optional.of(new Install(List.of(step("install", install)), List.of("lock"), List.of())),
            steps,
            Serving.Program.of(List.of("node", "server.js"), Map.of()),
            List.of(".next/cache"),
            List.of());
    return new Built(place, place.assembled(sandbox(overlays), plan, checkedOut(id), log));
  }

  private Sandbox sandbox(boolean overlays) {
    return Sandbox.available(data)
        .filter(sandbox -> sandbox.overlays() == overlays)
        .findFirst()
        .orElseThrow();
  }

  private Checkout checkedOut(DeploymentId id) throws IOException {
    Path copy = data.resolve("builds").resolve(id.value()).resolve("source-1");
    Files.createDirectories(copy.getParent());
    AppCopy.copy(source, copy, new BuildUser(0, false));
    return new Checkout(copy, new Commit("1", "The only one"));
  }

  private static Step step(String name, String script) {
    return new Step(
        name,
        "",
        List.of("sh", "-c", script),
        Map.of(),
        FailureCode.BUILD_FAILED,
        Optional.empty());
  }

  private void write(String name, String text) throws IOException {
    Path file = source.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
