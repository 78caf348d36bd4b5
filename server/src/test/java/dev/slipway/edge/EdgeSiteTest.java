package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.edge.RawClient.Answer;
import dev.slipway.release.ReleaseStore;
import dev.slipway.sandbox.Trees;
import dev.slipway.site.Site;
import dev.slipway.site.SiteIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sites, as a visitor's browser meets them. */
class EdgeSiteTest {
  private static final String SCRIPT = "const aScript = 'that says the same again';\n".repeat(100);
  private static final String HASHED = "assets/index-B7PI925R.js";
  private static final String REVALIDATED = "public, max-age=0, must-revalidate";
  private static final int LARGE_BYTES = 24 << 20;

  private static final Path DIRECTORY = makeDirectory();

  private static final ReleaseStore STORE =
      new ReleaseStore(DIRECTORY.resolve("releases"), Clock.systemUTC());

  private static final TestEdge EDGE = new TestEdge();

  private final List<RawClient> clients = new ArrayList<>();

  @AfterEach
  void close() {
    clients.forEach(RawClient::close);
  }

  @AfterAll
  static void end() {
    EDGE.close();
    Trees.delete(DIRECTORY);
  }

  @Test
  void aFileIsAnsweredWithItsTypeAndHowLongItMayBeKept() {
    serve(Map.of("index.html", "<h1>", HASHED, "1", "robots.txt", ""));

    Answer page = get("/");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body()).isEqualTo("<h1>");
    assertThat(page.header("content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.header("cache-control")).isEqualTo(REVALIDATED);
    assertThat(page.header("accept-ranges")).isEqualTo("bytes");
    assertThat(page.header("etag")).matches("\"[0-9a-f]{32}\"");
    assertThat(page.headers()).doesNotContainKeys("vary", "x-robots-tag", "transfer-encoding");
    assertThat(get("/" + HASHED + "?v=1").header("cache-control"))
        .isEqualTo("public, max-age=31536000, immutable");
    Answer empty = get("/robots.txt");
    assertThat(empty.status()).isEqualTo(200);
    assertThat(empty.header("content-length")).isEqualTo("0");
  }

  @Test
  void manyRequestsGoOverOneConnection() {
    serve(Map.of("index.html", "<h1>", "app.js", SCRIPT));
    RawClient client = client();

    for (int i = 0; i < 20; i++) {
      assertThat(ask(client, "GET", "/app.js", "").body()).isEqualTo(SCRIPT);
      assertThat(ask(client, "GET", "/nothing.js", "").status()).isEqualTo(404);
      Answer head = ask(client, "HEAD", "/app.js", "");
      assertThat(head.header("content-length")).isEqualTo(Integer.toString(SCRIPT.length()));
      assertThat(ask(client, "GET", "/", "If-None-Match: *\r\n").status()).isEqualTo(304);
    }
  }

  @Test
  void aFileIsSentInTheCodingThatTheClientLikesBest() {
    serve(Map.of("app.js", SCRIPT));
    Map<String, String> codings =
        Map.of(
            "br, gzip, zstd", "br",
            "gzip, deflate", "gzip",
            "zstd", "zstd",
            "br;q=0.5, gzip", "gzip",
            "identity, br;q=0.1", "",
            "br;q=0", "",
            "deflate", "",
            "", "");

    codings.forEach((accepted, coding) -> {
      Answer answer = get("/app.js", "Accept-Encoding: " + accepted + "\r\n");
      assertThat(answer.header("content-encoding")).as(accepted).isEqualTo(coding);
      assertThat(answer.header("vary")).isEqualToIgnoringCase("accept-encoding");
      assertThat(answer.header("content-type")).isEqualTo("text/javascript; charset=utf-8");
      assertThat(answer.header("etag")).endsWith(coding.isEmpty() ? "\"" : "-" + coding + "\"");
      assertThat(answer.body().equals(SCRIPT)).isEqualTo(coding.isEmpty());
    });
  }

  @Test
  void whoHasTheFileIsToldSo() {
    serve(Map.of("app.js", SCRIPT));
    String brotli = "Accept-Encoding: br\r\n";
    String tag = get("/app.js", brotli).header("etag");

    for (String known : new String[] {tag, "W/" + tag, "\"x\", " + tag, "*"}) {
      Answer answer = get("/app.js", brotli + "If-None-Match: " + known + "\r\n");
      assertThat(answer.status()).isEqualTo(304);
      assertThat(answer.header("etag")).isEqualTo(tag);
      assertThat(answer.header("cache-control")).isEqualTo(REVALIDATED);
      assertThat(answer.headers()).containsKey("vary");
    }
    // Other bytes than those that it has.
    assertThat(get("/app.js", "If-None-Match: " + tag + "\r\n").status()).isEqualTo(200);
    assertThat(get("/app.js", brotli + "If-Match: \"x\"\r\n").status()).isEqualTo(412);
    assertThat(get("/app.js", brotli + "If-Match: " + tag + "\r\n").status()).isEqualTo(200);
  }

  @Test
  void partsOfAFileAreSent() {
    serve(Map.of("film.txt", SCRIPT));
    String tag = get("/film.txt").header("etag");

    Answer part = get("/film.txt", "Range: bytes=2-5\r\nAccept-Encoding: br\r\n");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).isEqualTo(SCRIPT.substring(2, 6));
    assertThat(part.header("content-range")).isEqualTo("bytes 2-5/" + SCRIPT.length());
    assertThat(part.headers()).doesNotContainKey("content-encoding");
    assertThat(get("/film.txt", "Range: bytes=-7\r\nIf-Range: " + tag + "\r\n").body())
        .isEqualTo(SCRIPT.substring(SCRIPT.length() - 7));

    for (String whole :
        new String[] {
          "Range: bytes=0-1,3-4\r\n",
          "Range: bytes=0-1\r\nIf-Range: \"old\"\r\n",
          "Range: bytes=0-1\r\nIf-Range: Sat, 21 Nov 2026 16:00:00 GMT\r\n"
        }) {
      Answer answer = get("/film.txt", whole);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(SCRIPT);
    }
    Answer behind = get("/film.txt", "Range: bytes=%d-\r\n".formatted(SCRIPT.length()));
    assertThat(behind.status()).isEqualTo(416);
    assertThat(behind.header("content-range")).isEqualTo("bytes */" + SCRIPT.length());
    assertThat(ask(client(), "HEAD", "/film.txt", "Range: bytes=0-1\r\n").status()).isEqualTo(200);
  }

  @Test
  void aDirectoryIsAskedForWithASlash() {
    serve(Map.of("docs/index.html", "docs"));

    Answer answer = get("/docs?page=2");

    assertThat(answer.status()).isEqualTo(308);
    assertThat(answer.header("location")).isEqualTo("/docs/?page=2");
    assertThat(get("/docs/").body()).isEqualTo("docs");
  }

  @Test
  void anApplicationWithRoutesInTheBrowserAnswersWhereAPageIsAskedFor() {
    route(app(Map.of("index.html", "app", "404.html", "none")));

    assertThat(get("/orders/7").body()).isEqualTo("app");
    assertThat(get("/orders/john.doe/", "Accept: text/html,*/*;q=0.8\r\n").body()).isEqualTo("app");
    assertThat(get("/orders", "Sec-Fetch-Mode: navigate\r\n").status()).isEqualTo(200);
    for (String other :
        new String[] {
          "Sec-Fetch-Mode: cors\r\n",
          "Accept: application/json\r\n",
          "Accept: image/avif,*/*;q=0.8\r\n"
        }) {
      assertThat(get("/api/orders", other).status()).isEqualTo(404);
    }
    for (String missing : new String[] {"/assets/x.js", "/x.css", "/favicon.ico", "/a.json"}) {
      Answer answer = get(missing, "Accept: text/html,*/*\r\n");
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.body()).isEqualTo("none");
    }
  }

  @Test
  void whatThereIsNotIsA404InTheSitesOwnWords() {
    serve(Map.of("index.html", "home", "404.html", "none"));

    Answer answer = get("/nothing", "If-None-Match: *\r\nRange: bytes=0-1\r\n");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo("none");
    assertThat(answer.header("content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(answer.header("cache-control")).isEqualTo(REVALIDATED);
    assertThat(answer.headers()).doesNotContainKey("etag");
  }

  @Test
  void withoutSuchAPageItIsA404InOurs() {
    serve(Map.of("index.html", "home"));

    Answer answer = get("/nothing");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo("There is nothing at this address. Check its spelling.\n");
  }

  @Test
  void noPathLeadsOutOfTheSiteOrToHiddenFiles() throws IOException {
    Path tree = tree(Map.of("dist/index.html", "home", "dist/.env", "S=1", "outside", "secret"));
    Files.createDirectories(tree.resolve("dist/.git"));
    Files.writeString(tree.resolve("dist/.git/config"), "secret");
    Files.createSymbolicLink(tree.resolve("dist/link-out"), Path.of("../outside"));
    Files.createSymbolicLink(tree.resolve("dist/link-abs"), Path.of("/etc/passwd"));
    route(new Site(pack(tree), "dist", Optional.empty(), true));
    assertThat(get("/").body()).isEqualTo("home");

    for (String path :
        List.of(
            "/../outside",
            "/%2e%2e/outside",
            "/%2e%2e%2foutside",
            "/..%5coutside",
            "/..\\outside",
            "/%252e%252e/outside",
            "/%c0%ae%c0%ae/outside",
            "/site/../../outside",
            "//outside",
            "/outside%00.html",
            "/.env",
            "/%2eenv",
            "/link-out",
            "/link-abs",
            "/.git/config")) {
      assertThat(get(path).status()).as(path).isEqualTo(404);
    }
  }

  @Test
  void aSiteCanOnlyBeRead() {
    serve(Map.of("index.html", "home"));
    RawClient client = client();

    for (String method : new String[] {"POST", "PUT", "DELETE", "PATCH", "TRACE"}) {
      Answer answer = ask(client, method, "/", "Content-Length: 3\r\n", "abc");
      assertThat(answer.status()).isEqualTo(405);
      assertThat(answer.header("allow")).isEqualTo("GET, HEAD, OPTIONS");
    }
    Answer options = ask(client, "OPTIONS", "/", "");
    assertThat(options.status()).isEqualTo(204);
    assertThat(options.header("allow")).isEqualTo("GET, HEAD, OPTIONS");
    assertThat(ask(client, "GET", "/", "Content-Length: 3\r\n", "abc").body()).isEqualTo("home");
  }

  @Test
  void aPreviewIsNotIndexed() {
    EDGE.sites(SHOP, true, this::index, site(Map.of("index.html", "home")));

    assertThat(get("/").header("x-robots-tag")).isEqualTo("noindex");
  }

  @Test
  void aPageThatWasLoadedBeforeTheSwapFindsItsFiles() {
    Site oldest = site(Map.of("assets/a-11aaBB22.js", "oldest", "assets/b-11aaBB22.js", "oldest"));
    Site before = site(Map.of("assets/b-11aaBB22.js", "before", "logo.png", "old logo"));
    Site present = site(Map.of("index.html", "home", "assets/c-11aaBB22.js", "present"));
    EDGE.sites(SHOP, false, this::index, present, before, oldest);

    assertThat(get("/assets/c-11aaBB22.js").body()).isEqualTo("present");
    assertThat(get("/assets/b-11aaBB22.js").body()).isEqualTo("before");
    assertThat(get("/assets/a-11aaBB22.js").body()).isEqualTo("oldest");
    assertThat(get("/assets/d-11aaBB22.js").status()).isEqualTo(404);
    assertThat(get("/logo.png").status()).isEqualTo(404);
  }

  @Test
  void afterAWhileTheyAreLookedForNoMore() {
    Site before = site(Map.of("assets/b-11aaBB22.js", "before"));
    Site present = app(Map.of("index.html", "home"));
    Instant past = Instant.now().minusSeconds(1);
    EDGE.route(
        SHOP,
        this::index,
        new Route(
            ProjectId.next(),
            DeploymentId.next(),
            false,
            List.of(),
            Optional.of(present),
            List.of(new Route.Earlier(before, past))));

    assertThat(get("/assets/b-11aaBB22.js").status()).isEqualTo(404);
  }

  @Test
  void aPageOfAnEarlierReleaseIsNeverShown() {
    Site before =
        site(Map.of("_astro/page.html", "old", "news-11aaBB22.html", "old", "_astro/x.js", "old"));
    EDGE.sites(SHOP, false, this::index, site(Map.of("index.html", "home")), before);

    assertThat(get("/_astro/x.js").status()).isEqualTo(200);
    for (String page : List.of("/_astro/page.html", "/_astro/page", "/news-11aaBB22.html")) {
      assertThat(get(page).status()).as(page).isEqualTo(404);
    }
  }

  @Test
  void anEarlierReleaseThatCannotBeReadHidesNoOther() {
    Site broken = site(Map.of());
    Site oldest = site(Map.of("assets/a-11aaBB22.js", "oldest"));
    Site present = site(Map.of("index.html", "home"));
    EDGE.sites(
        SHOP,
        false,
        site -> {
          if (site.equals(broken)) {
            throw new IllegalStateException("its manifest is damaged");
          }
          return index(site);
        },
        present,
        broken,
        oldest);

    assertThat(get("/assets/a-11aaBB22.js").body()).isEqualTo("oldest");
  }

  @Test
  void aReleaseThatCannotBeReadIsA503() {
    EDGE.sites(
        SHOP,
        false,
        _ -> {
          throw new IllegalStateException("the disk is away");
        },
        new Site(ReleaseId.of(DeploymentId.next()), "", Optional.empty(), false));

    assertThat(get("/").status()).isEqualTo(503);
  }

  @Test
  void aFileIsSentToItsEndThoughItIsDeletedMeanwhile() throws IOException {
    ReleaseId id = pack(large());
    Path object = STORE.files(id, "").contents().getFirst().plain().path();
    route(new Site(id, "", Optional.empty(), false));
    RawClient client = client().send("GET /film.bin HTTP/1.1\r\nHost: " + SHOP + "\r\n\r\n");
    client.head();

    Files.delete(object);

    for (int read = 0; read < LARGE_BYTES; read += 1 << 20) {
      assertThat(client.read(1 << 20)).hasSize(1 << 20);
    }
    TestEdge.eventually("the file is closed", () -> openFiles() == 0);
    assertThat(get("/film.bin").status()).isEqualTo(503);
  }

  @Test
  void aDownloadThatIsBrokenOffLeavesNoFileOpen() throws IOException {
    route(new Site(pack(large()), "", Optional.empty(), false));
    RawClient client = client().send("GET /film.bin HTTP/1.1\r\nHost: " + SHOP + "\r\n\r\n");
    client.head();
    assertThat(openFiles()).isOne();

    client.reset();

    TestEdge.eventually("the file is closed", () -> openFiles() == 0);
  }

  private RawClient client() {
    RawClient client = new RawClient(EDGE.edge.port());
    clients.add(client);
    return client;
  }

  private static Path makeDirectory() {
    try {
      return Files.createTempDirectory("edge-site-test-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path large() throws IOException {
    Path tree = tree(Map.of());
    Files.write(tree.resolve("film.bin"), new byte[LARGE_BYTES]);
    return tree;
  }

  /** How many of our releases' files this process holds. */
  private long openFiles() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(this::isOurs).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isOurs(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor)
          .toString()
          .startsWith(DIRECTORY.resolve("releases/objects").toString());
    } catch (IOException closed) {
      return false;
    }
  }

  private void serve(Map<String, String> files) {
    route(site(files));
  }

  private void route(Site site) {
    EDGE.sites(SHOP, false, this::index, site);
  }

  private Site site(Map<String, String> files) {
    return new Site(pack(tree(files)), "", Optional.empty(), true);
  }

  private Site app(Map<String, String> files) {
    return new Site(pack(tree(files)), "", Optional.of("index.html"), false);
  }

  private SiteIndex index(Site site) {
    return new SiteIndex(site, STORE.files(site.release(), site.folder()));
  }

  private ReleaseId pack(Path tree) {
    ReleaseId id = STORE.pack(ReleaseId.of(DeploymentId.next()), tree).id();
    STORE.compress(id, "", Duration.ofMinutes(1));
    return id;
  }

  private Path tree(Map<String, String> files) {
    try {
      Path tree = Files.createTempDirectory(DIRECTORY, "tree-");
      for (var file : files.entrySet()) {
        Path path = tree.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getValue());
      }
      return tree;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Answer get(String path) {
    return get(path, "");
  }

  private Answer get(String path, String headers) {
    try (RawClient client = new RawClient(EDGE.edge.port())) {
      return ask(client, "GET", path, headers);
    }
  }

  private static Answer ask(RawClient client, String method, String path, String headers) {
    return ask(client, method, path, headers, "");
  }

  private static Answer ask(
      RawClient client, String method, String path, String headers, String body) {
    return client
        .send("%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n%s".formatted(method, path, SHOP, headers, body))
        .answer(method.equals("HEAD"));
  }
}
