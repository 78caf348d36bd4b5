package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.TestClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadCachesTest {
  private static final CacheOwner ADA = new CacheOwner("acc_ada");
  private static final CacheOwner BOB = new CacheOwner("acc_bob");

  @TempDir Path directory;
  private final TestClock clock = new TestClock();
  private DownloadCaches caches;

  @BeforeEach
  void open() {
    caches = new DownloadCaches(directory.resolve("caches"), clock);
  }

  @Test
  void anAccountGetsBackWhatItLeftAndNoOtherDoes() throws IOException {
    caches.take(ADA, directory.resolve("first"));
    Files.writeString(directory.resolve("first/package.tgz"), "bytes");
    caches.giveBack(ADA, directory.resolve("first"));

    caches.take(ADA, directory.resolve("ada"));
    caches.take(BOB, directory.resolve("bob"));

    assertThat(directory.resolve("ada/package.tgz")).hasContent("bytes");
    assertThat(directory.resolve("bob")).isEmptyDirectory();
  }

  @Test
  void twoBuildsAtOnceHaveCachesOfTheirOwn() throws IOException {
    caches.take(ADA, directory.resolve("one"));
    caches.take(ADA, directory.resolve("two"));
    Files.writeString(directory.resolve("one/mark"), "one");

    assertThat(directory.resolve("two")).isEmptyDirectory();
  }

  @Test
  void ofWhatTwoBuildsBringBackTheLargerStaysForEachManager() throws IOException {
    download(ADA, "npm", 10_000);
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    caches.take(ADA, first);
    caches.take(ADA, second);
    write(first.resolve("pip"), 100);
    write(second.resolve("npm"), 1_000);
    write(second.resolve("pip"), 2_000);
    write(second.resolve("uv"), 3_000);

    caches.giveBack(ADA, second);
    caches.giveBack(ADA, first);

    Path third = directory.resolve("third");
    caches.take(ADA, third);
    assertThat(third.resolve("npm/package.tgz")).hasSize(10_000);
    assertThat(third.resolve("pip/package.tgz")).hasSize(2_000);
    assertThat(third.resolve("uv/package.tgz")).hasSize(3_000);
    assertThat(first).doesNotExist();
    assertThat(second).doesNotExist();
    assertThat(directory.resolve("caches/acc_ada")).isEmptyDirectory();
  }

  @Test
  void itIsTheSameWhicheverOfTheTwoIsLast() throws IOException {
    download(ADA, "npm", 10_000);
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    caches.take(ADA, first);
    caches.take(ADA, second);
    write(second.resolve("npm"), 1_000);

    caches.giveBack(ADA, first);
    caches.giveBack(ADA, second);

    assertThat(caches.kept()).hasSize(1);
    assertThat(caches.kept().getFirst().bytes()).isGreaterThanOrEqualTo(10_000);
    assertThat(second).doesNotExist();
  }

  @Test
  void aLinkThatABuildPutThereIsNotFollowed() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    write(outside, 50_000);
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    caches.take(ADA, first);
    caches.take(ADA, second);
    write(first.resolve("npm"), 10_000);
    Files.createSymbolicLink(second.resolve("npm"), outside);

    caches.giveBack(ADA, first);
    caches.giveBack(ADA, second);

    assertThat(caches.kept().getFirst().place().resolve("package.tgz")).hasSize(10_000);
    assertThat(outside.resolve("package.tgz")).exists();
  }

  @Test
  void whatWasDownloadedCanBeDeletedByManagerAndIsDatedByItsLastUse() throws IOException {
    download(ADA, "npm", 10_000);
    clock.advance(Duration.ofHours(2));
    download(BOB, "pip", 20_000);

    List<DownloadCaches.Kept> kept =
        caches.kept().stream().sorted(Comparator.comparing(DownloadCaches.Kept::lastUsed)).toList();
    caches.delete(kept.getFirst().place());

    assertThat(kept)
        .extracting(it -> it.place().getFileName().toString())
        .containsExactly("npm", "pip");
    assertThat(kept.getLast().lastUsed()).isEqualTo(clock.instant());
    assertThat(kept.getLast().bytes()).isGreaterThanOrEqualTo(20_000);
    assertThat(caches.kept()).containsExactly(kept.getLast());
  }

  @Test
  void whatABuildHasTakenIsNotDeleted() throws IOException {
    download(ADA, "npm", 10_000);
    Path place = caches.kept().getFirst().place();
    caches.take(ADA, directory.resolve("taken"));

    caches.delete(place);

    assertThat(caches.kept()).isEmpty();
    assertThat(directory.resolve("taken/npm/package.tgz")).exists();
  }

  @Test
  void aSizeIsMeasuredAnewAfterAnHour() throws IOException {
    download(ADA, "npm", 10_000);
    long before = caches.kept().getFirst().bytes();
    download(ADA, "npm", 50_000);
    assertThat(caches.kept().getFirst().bytes()).isEqualTo(before);

    clock.advance(Duration.ofHours(2));

    assertThat(caches.kept().getFirst().bytes()).isGreaterThanOrEqualTo(50_000);
  }

  private void download(CacheOwner account, String manager, int bytes) throws IOException {
    Path taken = directory.resolve("build");
    caches.take(account, taken);
    write(taken.resolve(manager), bytes);
    caches.giveBack(account, taken);
  }

  private static void write(Path manager, int bytes) throws IOException {
    Files.createDirectories(manager);
    Files.write(manager.resolve("package.tgz"), new byte[bytes]);
  }

  @Test
  void anAccountKeepsItsUserAndSharesItWithNoOther() {
    BuildUser ada = caches.user(ADA);
    BuildUser bob = caches.user(BOB);

    assertThat(new DownloadCaches(directory.resolve("caches"), clock).user(ADA)).isEqualTo(ada);
    if (ada.root()) {
      assertThat(ada.uid()).isGreaterThanOrEqualTo(300_000).isNotEqualTo(bob.uid());
    }
  }
}
