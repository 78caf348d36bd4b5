package dev.slipway.source.git;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.slipway.core.AppFailure;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.source.Checkout;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceRef;
import dev.slipway.source.WideLimit;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitSourceTest {
  private static final RepoName SHOP = new RepoName("acme/shop");
  private static final String TOKEN = "t0ken-that-nobody-may-see";

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

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void fetchesTheHeadOfTheBranchWithoutHistory(String scheme) {
    shop.write("index.js", "old").commit("main", "First");
    String head = shop.write("index.js", "new").commit("main", "Second\n\nWith a body");

    Checkout checkout = fetch(source(scheme), "main", Optional.empty());

    assertThat(checkout.commit().sha()).isEqualTo(head);
    assertThat(checkout.commit().message()).isEqualTo("Second");
    assertThat(checkout.text("index.js")).contains("new");
    assertThat(checkout.root().resolve(".git")).doesNotExist();
    assertThat(directory.resolve("checkout.partial")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void namesTheBranchesOfARepository(String scheme) {
    shop.write("index.js", "1").commit("main", "First");
    shop.write("index.js", "2").commit("fix/stock", "Elsewhere");

    assertThat(source(scheme).branches(SHOP)).containsExactly("fix/stock", "main");
    assertThat(failureOf(() -> source(scheme).branches(new RepoName("acme/none"))).code())
        .isEqualTo(FailureCode.SOURCE_NOT_FOUND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void fetchesAnOlderCommitByItsFullId(String scheme) {
    String first = shop.write("index.js", "old").commit("main", "First");
    shop.write("index.js", "new").commit("main", "Second");

    Checkout checkout = fetch(source(scheme), "main", Optional.of(first));

    assertThat(checkout.text("index.js")).contains("old");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void completesAShortIdOfTheBranch(String scheme) {
    String first = shop.write("index.js", "old").commit("main", "First");
    shop.write("index.js", "new").commit("main", "Second");

    assertThat(source(scheme).resolve(ref("main", Optional.of(first.substring(0, 7)))))
        .isEqualTo(first);
  }

  @Test
  void completesAShortIdFromTheCommitsAloneWhereTheServerCanFilter() {
    shop.git("-C", shop.bare().toString(), "config", "uploadpack.allowFilter", "true");
    String first = shop.write("index.js", "old").commit("main", "First");
    shop.write("index.js", "new").commit("main", "Second");

    assertThat(source("http").resolve(ref("main", Optional.of(first.substring(0, 9)))))
        .isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void aShortIdOfAnotherBranchIsNotFound(String scheme) {
    shop.write("index.js", "1").commit("main", "First");
    String elsewhere = shop.write("index.js", "2").commit("other", "Elsewhere");

    Failure failure =
        failureOf(
            () -> source(scheme).resolve(ref("main", Optional.of(elsewhere.substring(0, 8)))));

    assertThat(failure.code()).isEqualTo(FailureCode.COMMIT_NOT_FOUND);
    assertThat(failure.message()).contains(elsewhere.substring(0, 8)).contains("main");
  }

  @Test
  void anAmbiguousShortIdIsNotFound() throws IOException {
    String twin = RawCommits.twins(shop.bare());

    Failure failure =
        failureOf(() -> source("http").resolve(ref("main", Optional.of(twin.substring(0, 7)))));

    assertThat(failure.code()).isEqualTo(FailureCode.COMMIT_NOT_FOUND);
    assertThat(failure.message()).contains("more digits");
  }

  @Test
  void aFullIdOfAnotherBranchIsFetched() {
    shop.write("index.js", "1").commit("main", "First");
    String elsewhere = shop.write("index.js", "2").commit("other", "Elsewhere");

    assertThat(fetch(source("http"), "main", Optional.of(elsewhere)).text("index.js"))
        .contains("2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void aFullIdThatDoesNotExistIsNotFound(String scheme) {
    shop.write("index.js", "1").commit("main", "First");

    Failure failure =
        failureOf(() -> fetch(source(scheme), "main", Optional.of("0123456789".repeat(4))));

    assertThat(failure.code()).isEqualTo(FailureCode.COMMIT_NOT_FOUND);
    assertThat(directory.resolve("checkout")).doesNotExist();
    assertThat(directory.resolve("checkout.partial")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void aMissingBranchListsTheOnesThatExist(String scheme) {
    shop.write("index.js", "1").commit("main", "First");
    shop.commit("develop", "Second");

    Failure failure = failureOf(() -> fetch(source(scheme), "mian", Optional.empty()));

    assertThat(failure.code()).isEqualTo(FailureCode.BRANCH_NOT_FOUND);
    assertThat(failure.message()).contains("no branch mian").contains("develop, main");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void anEmptyRepositorySaysSo(String scheme) {
    Failure failure = failureOf(() -> fetch(source(scheme), "main", Optional.empty()));

    assertThat(failure.code()).isEqualTo(FailureCode.BRANCH_NOT_FOUND);
    assertThat(failure.message()).contains("no branches yet");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void aMissingRepositoryIsNotFound(String scheme) {
    SourceRef missing = new SourceRef(new RepoName("acme/none"), "main", Optional.empty());

    Failure failure = failureOf(() -> source(scheme).resolve(missing));

    assertThat(failure.code()).isEqualTo(FailureCode.SOURCE_NOT_FOUND);
    assertThat(failure.message()).contains("acme/none was not found on github").contains("token");
  }

  @Test
  void aPrivateRepositoryNeedsItsTokenAndNeverShowsIt() throws IOException {
    try (GitServer closed = GitServer.withPassword(directory.resolve("closed"), TOKEN)) {
      GitRepository repository = closed.create("acme/shop");
      repository.write("index.js", "secret").commit("main", "First");

      GitSource right = source("github", closed.address(), Optional.of(new Secret(TOKEN)));
      assertThat(fetch(right, "main", Optional.empty()).text("index.js")).contains("secret");

      GitSource without = source("github", closed.address(), Optional.empty());
      assertThat(failureOf(() -> without.resolve(ref("main", Optional.empty()))).code())
          .isEqualTo(FailureCode.SOURCE_NOT_FOUND);

      Secret wrongToken = new Secret("wrong-" + TOKEN);
      GitSource wrong = source("github", closed.address(), Optional.of(wrongToken));
      AppFailure refused =
          catchThrowableOfType(
              AppFailure.class, () -> wrong.resolve(ref("main", Optional.empty())));
      assertThat(refused.failure().code()).isEqualTo(FailureCode.SOURCE_NOT_FOUND);
      StringWriter trace = new StringWriter();
      refused.printStackTrace(new PrintWriter(trace));
      assertThat(trace.toString()).doesNotContain(TOKEN);
    }
  }

  @Test
  void aRedirectToAnotherHostDoesNotCarryTheToken() throws IOException {
    shop.write("index.js", "1").commit("main", "First");
    HttpServer redirecting = loopbackServer();
    redirecting.createContext(
        "/",
        exchange -> {
          exchange
              .getResponseHeaders()
              .set("Location", server.address().resolve(exchange.getRequestURI()).toString());
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    redirecting.start();
    try {
      GitSource source = source("github", addressOf(redirecting), Optional.of(new Secret(TOKEN)));

      assertThat(fetch(source, "main", Optional.empty()).text("index.js")).contains("1");
      assertThat(server.requestHeaders()).isNotEmpty();
      assertThat(server.requestHeaders())
          .allSatisfy(headers -> assertThat(headers).doesNotContainKey("Authorization"));
    } finally {
      redirecting.stop(0);
    }
  }

  @Test
  void aServerThatRefusesConnectionsIsUnreachable() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    GitSource source = source("github", URI.create("http://127.0.0.1:" + port), Optional.empty());

    Failure failure = failureOf(() -> source.resolve(ref("main", Optional.empty())));

    assertThat(failure.code()).isEqualTo(FailureCode.SOURCE_UNREACHABLE);
    assertThat(failure.message()).contains("does not accept connections");
  }

  @Test
  void anUnknownHostIsUnreachable() {
    GitSource source = source("github", URI.create("https://git.invalid"), Optional.empty());

    Failure failure = failureOf(() -> source.resolve(ref("main", Optional.empty())));

    assertThat(failure.code()).isEqualTo(FailureCode.SOURCE_UNREACHABLE);
    assertThat(failure.message()).contains("no host git.invalid is known");
  }

  @Test
  void aServerThatSpeaksNoTlsIsUnreachable() throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      plain.setSoTimeout(10_000);
      URI tls = URI.create("https://127.0.0.1:" + plain.getLocalPort());
      GitSource source = source("github", tls, Optional.empty());
      CompletableFuture<Failure> failure =
          CompletableFuture.supplyAsync(
              () -> failureOf(() -> source.resolve(ref("main", Optional.empty()))));
      try (Socket connection = plain.accept()) {
        connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
      }

      assertThat(failure.get(30, TimeUnit.SECONDS).code())
          .isEqualTo(FailureCode.SOURCE_UNREACHABLE);
      assertThat(failure.get().message()).contains("TLS");
    }
  }

  @Test
  void aServerInTroubleIsUnreachable() throws IOException {
    HttpServer failing = loopbackServer();
    failing.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(503, -1);
          exchange.close();
        });
    failing.start();
    try {
      GitSource source = source("github", addressOf(failing), Optional.empty());

      Failure failure = failureOf(() -> source.resolve(ref("main", Optional.empty())));

      assertThat(failure.code()).isEqualTo(FailureCode.SOURCE_UNREACHABLE);
      assertThat(failure.message()).contains("503");
    } finally {
      failing.stop(0);
    }
  }

  @Test
  void interruptingEndsAFetchFromAServerThatNeverAnswers() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      silent.setSoTimeout(10_000);
      GitSource source =
          source(
              "github", URI.create("http://127.0.0.1:" + silent.getLocalPort()), Optional.empty());
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread fetching =
          Thread.ofPlatform()
              .start(() ->
                  thrown.complete(
                      catchThrowableOfType(
                          Throwable.class, () -> source.resolve(ref("main", Optional.empty())))));
      try (Socket connection = silent.accept()) {
        assertThat(connection.isConnected()).isTrue();
        fetching.interrupt();
        assertThat(thrown.get(30, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
      }
    }
  }

  @Test
  void keepsLinksAndExecutableBitsAndRunsNoFilters() throws IOException {
    shop.write("bin/run", "#!/bin/sh\r\n").write(".gitattributes", "* text=auto eol=crlf\n");
    assertThat(shop.work().resolve("bin/run").toFile().setExecutable(true)).isTrue();
    Files.createSymbolicLink(shop.work().resolve("outside"), Path.of("/etc/passwd"));
    Files.createSymbolicLink(shop.work().resolve("up"), Path.of("bin/../bin/run"));
    shop.git("-c", "core.autocrlf=false", "add", "-A");
    String head = shop.commit("main", "Links");

    Path root = fetch(source("http"), "main", Optional.of(head)).root();

    assertThat(Files.readSymbolicLink(root.resolve("outside"))).hasToString("/etc/passwd");
    assertThat(Files.readSymbolicLink(root.resolve("up"))).hasToString("bin/../bin/run");
    assertThat(Files.isExecutable(root.resolve("bin/run"))).isTrue();
    assertThat(Files.isExecutable(root.resolve(".gitattributes"))).isFalse();
    // git stored the lines with \n; the repository's wish for \r\n on checkout is not followed.
    assertThat(root.resolve("bin/run")).hasContent("#!/bin/sh\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", ".git", ".GIT"})
  void aTreeWithADangerousNameIsRefused(String name) throws IOException {
    String head = RawCommits.withFile(shop.bare(), name);

    Failure failure = failureOf(() -> fetch(source("http"), "main", Optional.of(head)));

    assertThat(failure.code()).isEqualTo(FailureCode.ARCHIVE_REFUSED);
    assertThat(directory.resolve("checkout")).doesNotExist();
  }

  @Test
  void aSubmoduleOfUnknownOriginIsAnEmptyDirectory() {
    shop.write("index.js", "1").commit("main", "First");
    shop.git("update-index", "--add", "--cacheinfo", "160000," + "1".repeat(40) + ",vendor/lib");
    shop.git("commit", "-q", "-m", "Submodule");
    shop.git("push", "-q", "origin", "main");

    Checkout checkout = fetch(source("http"), "main", Optional.empty());

    assertThat(checkout.root().resolve("vendor/lib")).isEmptyDirectory();
    assertThat(checkout.notes())
        .containsExactly(
            "The submodule vendor/lib is left empty: .gitmodules does not say where it comes from.");
  }

  @Test
  void whatAKilledFetchLeftIsReplaced() throws IOException {
    shop.write("index.js", "1").commit("main", "First");
    Path partial = Files.createDirectories(directory.resolve("checkout.partial/tree"));
    Files.writeString(partial.resolve("index.js"), "half");

    assertThat(fetch(source("http"), "main", Optional.empty()).text("index.js")).contains("1");
    assertThat(directory.resolve("checkout.partial")).doesNotExist();
  }

  @Test
  void namesOutsideAsciiComeThrough() throws IOException {
    shop.write("grüße.txt", "hallo").write("zwei\nzeilen.txt", "ja").commit("main", "Names");

    Path root = fetch(source("http"), "main", Optional.empty()).root();

    try (var files = Files.list(root)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("grüße.txt", "zwei\nzeilen.txt");
    }
  }

  @Test
  void aHostAddressWithALoginIsRefused() {
    assertThatThrownBy(() ->
            source("github", URI.create("https://me:" + TOKEN + "@github.com"), Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining(TOKEN);
  }

  @Test
  void warmingUpLeavesNothingBehind() {
    Set<String> before = warmUpFolders();

    GitSource.warmUp();
    GitSource.warmUp();

    // Servers that run beside this test have folders of their own there.
    assertThat(before).containsAll(warmUpFolders());
  }

  private static Set<String> warmUpFolders() {
    return Stream.of(Path.of(System.getProperty("java.io.tmpdir")).toFile().list())
        .filter(name -> name.startsWith("slipway-warm-up-"))
        .collect(Collectors.toSet());
  }

  private GitSource source(String scheme) {
    URI base = scheme.equals("http") ? server.address() : server.folder().toUri();
    return source("github", base, Optional.empty());
  }

  private GitSource source(String kind, URI base, Optional<Secret> token) {
    return new GitSource(new GitHost(kind, base, token), List.of(), WideLimit.below(directory));
  }

  private static SourceRef ref(String branch, Optional<String> sha) {
    return new SourceRef(SHOP, branch, sha);
  }

  private Checkout fetch(GitSource source, String branch, Optional<String> sha) {
    SourceRef ref = ref(branch, sha);
    return source.fetch(ref, source.resolve(ref), directory.resolve("checkout"));
  }

  private static Failure failureOf(ThrowingCallable call) {
    AppFailure failure = catchThrowableOfType(AppFailure.class, call);
    assertThat(failure).isNotNull();
    return failure.failure();
  }

  private static HttpServer loopbackServer() throws IOException {
    return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  private static URI addressOf(HttpServer server) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }
}
