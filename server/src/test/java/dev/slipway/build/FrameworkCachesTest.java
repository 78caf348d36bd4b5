package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.ProjectId;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameworkCachesTest {
  private static final ProjectId SHOP = new ProjectId("prj_shop");
  private static final String CACHE = ".next/cache";
  private static final BuildUser USER = new BuildUser(0, false);

  private Path directory;
  private FrameworkCaches caches;

  @BeforeEach
  void open() throws IOException {
    directory = Files.createTempDirectory("framework-caches-test-");
    caches = new FrameworkCaches(directory.resolve("caches"), Clock.systemUTC());
  }

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @Test
  void whatASuccessfulBuildLeftIsThereForTheNext() throws IOException {
    caches.giveBack(SHOP, built("one"), CACHE, true);
    Path next = root("next");

    caches.take(SHOP, next, CACHE, USER);

    assertThat(next.resolve(".next/cache/n")).hasContent("one");
  }

  @Test
  void ofTwoBuildsAtOnceOneGetsIt() throws IOException {
    caches.giveBack(SHOP, built("one"), CACHE, true);
    Path first = root("first");
    Path second = root("second");

    caches.take(SHOP, first, CACHE, USER);
    caches.take(SHOP, second, CACHE, USER);

    assertThat(first.resolve(CACHE)).isDirectory();
    assertThat(second.resolve(CACHE)).doesNotExist();
  }

  @Test
  void ofWhatTwoBuildsBringBackTheLargerStays() throws IOException {
    caches.giveBack(SHOP, built("first of all, and the largest"), CACHE, true);
    Path first = root("first");
    caches.take(SHOP, first, CACHE, USER);
    Path second = built("cold");

    caches.giveBack(SHOP, second, CACHE, true);
    caches.giveBack(SHOP, first, CACHE, true);
    caches.giveBack(SHOP, built("colder"), CACHE, true);

    assertThat(caches.kept()).hasSize(1);
    assertThat(caches.kept().getFirst().place().resolve("n"))
        .hasContent("first of all, and the largest");
    assertThat(first.resolve(CACHE)).doesNotExist();
    assertThat(second.resolve(CACHE)).doesNotExist();
    assertThat(directory.resolve("caches/doomed")).isEmptyDirectory();
  }

  @Test
  void aFailedBuildsCacheIsDeleted() throws IOException {
    Path failed = built("half");

    caches.giveBack(SHOP, failed, CACHE, false);

    assertThat(failed.resolve(CACHE)).doesNotExist();
    assertThat(caches.kept()).isEmpty();
  }

  @Test
  void anotherProjectGetsNothing() throws IOException {
    caches.giveBack(SHOP, built("one"), CACHE, true);
    Path other = root("other");

    caches.take(new ProjectId("prj_blog"), other, CACHE, USER);

    assertThat(other).isEmptyDirectory();
  }

  @Test
  void linksAndPathsThatLeadOutsideAreNotFollowed() throws IOException {
    caches.giveBack(SHOP, built("one"), CACHE, true);
    Path outside = Files.createDirectories(directory.resolve("outside/cache"));
    Files.writeString(outside.resolve("n"), "not ours");
    Path linked = root("linked");
    Files.createSymbolicLink(linked.resolve(".next"), directory.resolve("outside"));

    caches.take(SHOP, linked, CACHE, USER);
    caches.giveBack(SHOP, linked, CACHE, true);
    caches.giveBack(SHOP, linked, "../outside/cache", false);

    assertThat(outside.resolve("n")).hasContent("not ours");
    assertThat(outside.resolve("cache")).doesNotExist();
  }

  private Path built(String text) throws IOException {
    Path root = root("built-" + text);
    Files.createDirectories(root.resolve(CACHE));
    Files.writeString(root.resolve(CACHE).resolve("n"), text);
    return root;
  }

  private Path root(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }
}
