package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AccountId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadCachesTest {
  private static final AccountId ADA = new AccountId("acc_ada");
  private static final AccountId BOB = new AccountId("acc_bob");

  @TempDir Path directory;
  private DownloadCaches caches;

  @BeforeEach
  void open() {
    caches = new DownloadCaches(directory.resolve("caches"));
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
    Files.writeString(directory.resolve("two/mark"), "two");
    caches.giveBack(ADA, directory.resolve("two"));
    caches.giveBack(ADA, directory.resolve("one"));

    caches.take(ADA, directory.resolve("third"));

    assertThat(directory.resolve("third/mark")).hasContent("two");
    assertThat(directory.resolve("one")).doesNotExist();
  }

  @Test
  void anAccountKeepsItsUserAndSharesItWithNoOther() {
    BuildUser ada = caches.user(ADA);
    BuildUser bob = caches.user(BOB);

    assertThat(new DownloadCaches(directory.resolve("caches")).user(ADA)).isEqualTo(ada);
    if (ada.root()) {
      assertThat(ada.uid()).isGreaterThanOrEqualTo(300_000).isNotEqualTo(bob.uid());
    }
  }
}
