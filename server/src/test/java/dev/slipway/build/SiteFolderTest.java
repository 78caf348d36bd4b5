package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Serving;
import dev.slipway.runlog.RunLog;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteFolderTest {
  private final KeptLog log = new KeptLog();
  private Path app;

  @BeforeEach
  void make() throws IOException {
    app = Files.createTempDirectory("site-folder-test-");
  }

  @AfterEach
  void delete() {
    Trees.delete(app);
  }

  @Test
  void itIsTheDirectoryThatTheBuildWrote() throws IOException {
    write("web/dist/index.html");

    assertThat(of("web", "web/dist")).isEqualTo(app.toRealPath().resolve("web/dist"));
    assertThat(log.messages()).isEmpty();
  }

  @Test
  void itMayBeTheRepositoryItself() throws IOException {
    write("index.html");

    assertThat(of("", "")).isEqualTo(app.toRealPath());
  }

  @Test
  void aLinkToItIsFollowed() throws IOException {
    write("output/index.html");
    Files.createSymbolicLink(app.resolve("dist"), Path.of("output"));

    assertThat(of("", "dist")).isEqualTo(app.toRealPath().resolve("output"));
  }

  @Test
  void aSiteWithoutAPageAtItsRootIsWarnedOf() throws IOException {
    write("dist/about.html");

    of("", "dist");

    assertThat(log.messages())
        .containsExactly("There is no index.html in dist: the site has no page at its root.");
  }

  @Test
  void whatAnswersForEveryPathMayBeElsewhere() throws IOException {
    write("dist/shop/index.html");

    of("", new Serving.Site("dist", Optional.of("shop/index.html"), true));

    assertThat(log.messages()).isEmpty();
  }

  @Test
  void whereItIsMissingTheMessageSaysWhatToSetAndWhereAPageIs() throws IOException {
    write("web/build/index.html");

    AppFailure failure = failure("web", "web/dist");

    assertThat(failure.failure().code()).isEqualTo(FailureCode.BUILD_FAILED);
    assertThat(failure)
        .hasMessage(
            "The build wrote no directory web/dist; set output_directory to the one that it writes. There is a page in build.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dist", "file", "../other", "/etc", "out", "loop"})
  void whatIsNoDirectoryOfTheApplicationIsRefused(String directory) throws IOException {
    write("file");
    Files.createSymbolicLink(app.resolve("out"), Path.of("/etc"));
    Files.createSymbolicLink(app.resolve("loop"), Path.of("loop"));

    assertThat(failure("", directory).failure().code()).isEqualTo(FailureCode.BUILD_FAILED);
  }

  private Path of(String root, String directory) {
    return of(root, new Serving.Site(directory, Optional.empty(), true));
  }

  private Path of(String root, Serving.Site site) {
    RunLog open = log.open(List.of());
    Path folder = SiteFolder.of(app, root, site, open);
    open.flush();
    return folder;
  }

  private AppFailure failure(String root, String directory) {
    return catchThrowableOfType(AppFailure.class, () -> of(root, directory));
  }

  private void write(String name) throws IOException {
    Path file = app.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "<h1>");
  }
}
