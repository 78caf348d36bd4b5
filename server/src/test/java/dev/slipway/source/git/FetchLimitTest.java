package dev.slipway.source.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.source.Checkout;
import dev.slipway.source.FetchLimit;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceRef;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a fetch may take of the disk. */
class FetchLimitTest {
  private static final int FILE_BYTES = 1 << 20;
  private static final RepoName SHOP = new RepoName("acme/shop");

  @TempDir Path directory;
  private GitServer server;
  private GitRepository shop;

  @BeforeEach
  void startServer() throws IOException {
    server = GitServer.open(directory.resolve("server"));
    shop = server.create("acme/shop");
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  @Test
  void aPackAndTheFilesOfItAreCountedTogether() throws IOException {
    random(shop, 1).commit("main", "One");

    assertThat(fetch(3 * FILE_BYTES).hasFile("1.bin")).isTrue();
    assertOverLimit(() -> fetch(3 * FILE_BYTES / 2));
  }

  @Test
  void aFolderIsReadWhereItLiesAndOnlyItsFilesCount() throws IOException {
    random(shop, 1).commit("main", "One");

    assertThat(fetch(server.folder().toUri(), 3 * FILE_BYTES / 2, 0).hasFile("1.bin")).isTrue();
    assertOverLimit(() -> fetch(server.folder().toUri(), FILE_BYTES / 2, 0));
  }

  @Test
  void submodulesAreCountedWithIt() throws IOException {
    GitRepository lib = server.create("acme/lib");
    String sha = random(lib, 2).commit("main", "One");
    random(shop, 1)
        .write(".gitmodules", "[submodule \"lib\"]\n\tpath = lib\n\turl = ../lib\n")
        .git("update-index", "--add", "--cacheinfo", "160000", sha, "lib");
    shop.git("add", ".gitmodules", "1.bin");
    shop.git("commit", "-q", "-m", "Submodule");
    shop.git("push", "-q", "origin", "main");

    assertThat(fetch(5 * FILE_BYTES).hasFile("lib/2.bin")).isTrue();
    assertOverLimit(() -> fetch(3 * FILE_BYTES));
  }

  @Test
  void theHistoryThatAShortIdIsLookedUpInIsBoundedToo() throws IOException {
    String first = random(shop, 1).commit("main", "One");

    assertOverLimit(() -> resolve(first.substring(0, 9), FILE_BYTES / 2));
    assertThat(resolve(first.substring(0, 9), 2 * FILE_BYTES)).isEqualTo(first);
  }

  @Test
  void whatAServerPacksOnceMoreIsCountedUnpacked() {
    // In the pack a thousandth of it is left, of which packing leaves almost nothing.
    shop.write("zeros.bin", "0".repeat(32 << 20));
    String sha = shop.commit("main", "Zeros");
    server.compressing();

    assertOverLimit(() -> resolve(sha.substring(0, 9), 1 << 14));
    assertThat(resolve(sha.substring(0, 9), 1 << 20)).isEqualTo(sha);
  }

  @Test
  void aDiskThatRunsFullEndsItToo() {
    shop.write("a", "text").commit("main", "One");

    Failure failure = failureOf(() -> fetch(server.address(), Long.MAX_VALUE, Long.MAX_VALUE));
    assertThat(failure.code()).isEqualTo(FailureCode.DISK_FULL);
    assertThat(failure.message()).contains("MiB left");
    assertNothingIsLeft();
  }

  private Checkout fetch(long maxBytes) {
    return fetch(server.address(), maxBytes, 0);
  }

  private Checkout fetch(URI base, long maxBytes, long minFreeBytes) {
    GitSource source = source(base, maxBytes, minFreeBytes);
    SourceRef ref = new SourceRef(SHOP, "main", Optional.empty());
    String sha = shop.git("rev-parse", "HEAD").strip();
    return source.fetch(ref, sha, directory.resolve("checkout-" + maxBytes));
  }

  private String resolve(String digits, long maxBytes) {
    return source(server.address(), maxBytes, 0)
        .resolve(new SourceRef(SHOP, "main", Optional.of(digits)));
  }

  private GitSource source(URI base, long maxBytes, long minFreeBytes) {
    FetchLimit limit = new FetchLimit(directory.resolve("scratch"), maxBytes, minFreeBytes);
    return new GitSource(new GitHost("github", base, Optional.empty()), List.of(), limit);
  }

  /** A file that no compression makes smaller. */
  private static GitRepository random(GitRepository repository, int seed) throws IOException {
    byte[] bytes = new byte[FILE_BYTES];
    new Random(seed).nextBytes(bytes);
    Files.write(repository.work().resolve(seed + ".bin"), bytes);
    return repository;
  }

  private void assertOverLimit(ThrowingCallable call) {
    Failure failure = failureOf(call);
    assertThat(failure.code()).isEqualTo(FailureCode.DISK_LIMIT);
    assertThat(failure.message()).contains("build.disk_mb");
    assertNothingIsLeft();
  }

  private static Failure failureOf(ThrowingCallable call) {
    AppFailure failure = catchThrowableOfType(AppFailure.class, call);
    assertThat(failure).isNotNull();
    return failure.failure();
  }

  /** Checkouts that did come have a name without a suffix. */
  private void assertNothingIsLeft() {
    assertThat(directory).isDirectoryNotContaining("glob:**.partial");
    assertThat(directory.resolve("scratch")).isEmptyDirectory();
  }
}
