package dev.slipway.source.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.source.Checkout;
import dev.slipway.source.FetchLimit;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceRef;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jgit.util.FileUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LargeFilesTest {
  private static final String TOKEN = "t0ken-of-the-host";

  @TempDir Path directory;
  private GitServer server;
  private GitRepository shop;

  @BeforeEach
  void startServer() throws IOException {
    server = GitServer.withPassword(directory.resolve("server"), TOKEN);
    shop = server.create("acme/shop");
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void whatGitLfsItselfPushedIsFetched(String scheme) throws IOException {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "git-lfs"))),
        "git-lfs is not installed");
    shop.git("lfs", "install", "--local");
    shop.git("lfs", "track", "*.png");
    byte[] picture = new byte[300_000];
    picture[299_999] = 7;
    Files.write(shop.work().resolve("picture.png"), picture);
    Files.write(shop.work().resolve("copy.png"), picture);
    assertThat(shop.work().resolve("copy.png").toFile().setExecutable(true)).isTrue();
    shop.commit("main", "Pictures");

    Checkout checkout = fetch(scheme);

    assertThat(checkout.root().resolve("picture.png")).hasBinaryContent(picture);
    assertThat(checkout.root().resolve("copy.png")).hasBinaryContent(picture).isExecutable();
    assertThat(Files.isExecutable(checkout.root().resolve("picture.png"))).isFalse();
    assertThat(checkout.notes()).isEmpty();
    assertThat(directory.resolve("checkout.partial")).doesNotExist();
  }

  @Test
  void theTokenGoesToTheHostAndNotToWhereItKeepsTheFiles() throws IOException {
    try (GitServer storage = GitServer.open(directory.resolve("storage"))) {
      GitRepository stored = storage.create("acme/shop");
      store(stored, "content");
      store(shop, "content");
      server.lfs().storedAt(storage.address());
      shop.write("a.bin", pointer("content")).write(".gitattributes", "*.bin filter=lfs\n");
      shop.commit("main", "One");

      assertThat(fetch("http").text("a.bin")).contains("content");
      assertThat(storage.requestHeaders())
          .isNotEmpty()
          .allSatisfy(headers ->
              assertThat(headers).doesNotContainKey("Authorization").containsKey("X-storage-key"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.2:1/x",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]:1/x",
        "http://0.0.0.0:1/x",
        "https://10.1.2.3/x",
        "http://[::ffff:10.1.2.3]/x",
      })
  void addressesOfTheNetworksAroundUsAreNotFollowed(String address) throws IOException {
    store(shop, "content");
    shop.write("a.bin", pointer("content")).write(".gitattributes", "*.bin filter=lfs\n");
    shop.commit("main", "One");
    server.lfs().storedAt(URI.create(address));

    Checkout answered = fetch("http");
    FileUtils.delete(answered.root().toFile(), FileUtils.RECURSIVE);
    server.lfs().redirectTo(address);
    Checkout redirected = fetch("http");

    for (Checkout checkout : List.of(answered, redirected)) {
      assertThat(checkout.notes())
          .singleElement()
          .asString()
          .contains("a.bin", "sends us to", "not one of the public internet");
    }
  }

  @Test
  void anotherPortOfTheHostItselfIsFollowedByItsNameToo() throws IOException {
    try (GitServer storage = GitServer.open(directory.resolve("storage"))) {
      store(storage.create("acme/shop"), "content");
      store(shop, "content");
      int port = storage.address().getPort();
      server.lfs().storedAt(URI.create("http://localhost:" + port));
      shop.write("a.bin", pointer("content")).write(".gitattributes", "*.bin filter=lfs\n");
      shop.commit("main", "One");

      URI base = URI.create("http://localhost:" + server.address().getPort());
      assertThat(fetch(base, Long.MAX_VALUE).text("a.bin")).contains("content");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void whatTheHostLacksStaysAPointerAndIsSaid(String scheme) throws IOException {
    store(shop, "here");
    shop.write("a.bin", pointer("here")).write(".gitattributes", "*.bin filter=lfs\n");
    for (int i = 0; i < 5; i++) {
      shop.write("lost/%d.bin".formatted(i), pointer("lost " + i));
    }
    shop.commit("main", "Some are lost");

    Checkout checkout = fetch(scheme);

    assertThat(checkout.text("a.bin")).contains("here");
    assertThat(checkout.text("lost/0.bin")).contains(pointer("lost 0"));
    assertThat(checkout.notes())
        .singleElement()
        .asString()
        .startsWith("Of lost/0.bin, lost/1.bin, lost/2.bin and 2 more only the Git LFS pointer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void whatIsNotTheFileThatThePointerNamesIsNotTaken(String scheme) throws IOException {
    Files.writeString(store(shop, "content"), "c0ntent");
    shop.write("a.bin", pointer("content")).write(".gitattributes", "*.bin filter=lfs\n");
    Files.writeString(store(shop, "short"), "much longer than it says");
    shop.write("b.bin", pointer("short")).commit("main", "Swapped");

    Checkout checkout = fetch(scheme);

    assertThat(checkout.text("a.bin")).contains(pointer("content"));
    assertThat(checkout.text("b.bin")).contains(pointer("short"));
    assertThat(checkout.notes())
        .singleElement()
        .asString()
        .contains("a.bin, b.bin", "another file");
  }

  @Test
  void aHostWithoutLargeFilesLeavesThePointers() throws IOException {
    server.lfs().refuseWith(404);
    shop.write("a.bin", pointer("1")).write(".gitattributes", "*.bin filter=lfs\n");
    shop.commit("main", "One");

    assertThat(fetch("http").notes()).singleElement().asString().contains("a.bin", "status 404");
  }

  @Test
  void aHostInTroubleFailsInsteadOfGoingLiveWithPointers() {
    server.lfs().refuseWith(503);
    shop.write("a.bin", pointer("1")).write(".gitattributes", "*.bin filter=lfs\n");
    shop.commit("main", "One");

    AppFailure failure = catchThrowableOfType(AppFailure.class, () -> fetch("http"));

    assertThat(failure.failure().code()).isEqualTo(FailureCode.SOURCE_UNREACHABLE);
    assertThat(failure.failure().message()).contains("Git LFS", "503");
    assertThat(directory.resolve("checkout")).doesNotExist();
  }

  @Test
  void aPointerInARepositoryWithoutLargeFilesIsAFileLikeAnother() {
    shop.write("test/fixture.bin", pointer("1")).commit("main", "A fixture");

    Checkout checkout = fetch("http");

    assertThat(checkout.text("test/fixture.bin")).contains(pointer("1"));
    assertThat(checkout.notes()).isEmpty();
  }

  @Test
  void filesBeyondTheBoundOfACheckoutStayPointers() {
    String huge = pointer("1").replaceFirst("size .*", "size 2147483648");
    shop.write("a.bin", huge).write(".gitattributes", "*.bin filter=lfs\n").commit("main", "Huge");

    assertThat(fetch("file").notes()).singleElement().asString().contains("a.bin", "2 GiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void whatIsDownloadedIsCountedAndEveryFurtherCopyOfIt(String scheme) throws IOException {
    String content = "x".repeat(100_000);
    store(shop, content);
    shop.write("a.bin", pointer(content)).write("b.bin", pointer(content));
    shop.write(".gitattributes", "*.bin filter=lfs\n").commit("main", "Twice");

    for (long tooLittle : List.of(90_000L, 190_000L)) {
      AppFailure failure = catchThrowableOfType(AppFailure.class, () -> fetch(scheme, tooLittle));
      assertThat(failure.failure().code()).isEqualTo(FailureCode.DISK_LIMIT);
      assertThat(directory.resolve("checkout")).doesNotExist();
      assertThat(directory.resolve("checkout.partial")).doesNotExist();
    }
    assertThat(fetch(scheme, 220_000).text("b.bin")).contains(content);
  }

  @Test
  void largeFilesOfASubmoduleComeFromItsOwnRepository() throws IOException {
    GitRepository lib = server.create("acme/lib");
    store(lib, "of the submodule");
    lib.write("x.bin", pointer("of the submodule")).write("y.bin", pointer("lost"));
    String sha = lib.write(".gitattributes", "*.bin filter=lfs\n").commit("main", "One");
    shop.write(".gitmodules", "[submodule \"lib\"]\n\tpath = lib\n\turl = ../lib\n");
    shop.git("update-index", "--add", "--cacheinfo", "160000", sha, "lib");
    shop.git("add", ".gitmodules");
    shop.git("commit", "-q", "-m", "Submodule");
    shop.git("push", "-q", "origin", "main");

    Checkout checkout = fetch("http");

    assertThat(checkout.text("lib/x.bin")).contains("of the submodule");
    assertThat(checkout.notes()).singleElement().asString().startsWith("Of lib/y.bin only");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "version https://git-lfs.github.com/spec/v1\noid sha256:../../../etc/passwd\nsize 1\n",
        "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 1\n",
        "version https://evil.example/spec/v1\noid sha256:ab\nsize 1\n",
        "version https://git-lfs.github.com/spec/v1\nsize 1\n",
        "",
      })
  void otherTextsAreNoPointers(String text) {
    assertThat(LfsPointer.parse(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
  }

  @Test
  void pointersOfOldAndWithExtensionsAreKnown() {
    Map<String, LfsPointer> pointers =
        Map.of(
            "version https://hawser.github.com/spec/v1\noid sha256:%s\nsize 12\n"
                .formatted("a".repeat(64)),
            new LfsPointer("a".repeat(64), 12),
            "version https://git-lfs.github.com/spec/v1\next-0-foo sha256:x\noid sha256:%s\nsize 0\n"
                .formatted("b".repeat(64)),
            new LfsPointer("b".repeat(64), 0));

    pointers.forEach((text, pointer) ->
        assertThat(LfsPointer.parse(text.getBytes(StandardCharsets.UTF_8))).contains(pointer));
  }

  private static Path store(GitRepository repository, String content) throws IOException {
    String oid = oid(content);
    Path object =
        repository
            .bare()
            .resolve("lfs/objects")
            .resolve(oid.substring(0, 2))
            .resolve(oid.substring(2, 4))
            .resolve(oid);
    Files.createDirectories(object.getParent());
    return Files.writeString(object, content);
  }

  private static String pointer(String content) {
    return "version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n"
        .formatted(oid(content), content.length());
  }

  private static String oid(String content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(content.getBytes(StandardCharsets.UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private Checkout fetch(String scheme) {
    return fetch(scheme, Long.MAX_VALUE);
  }

  private Checkout fetch(String scheme, long maxBytes) {
    return fetch(scheme.equals("http") ? server.address() : server.folder().toUri(), maxBytes);
  }

  private Checkout fetch(URI base, long maxBytes) {
    GitHost host = new GitHost("github", base, Optional.of(new Secret(TOKEN)));
    GitSource source =
        new GitSource(host, List.of(), new FetchLimit(directory.resolve("scratch"), maxBytes, 0));
    SourceRef ref = new SourceRef(new RepoName("acme/shop"), "main", Optional.empty());
    return source.fetch(ref, source.resolve(ref), directory.resolve("checkout"));
  }
}
