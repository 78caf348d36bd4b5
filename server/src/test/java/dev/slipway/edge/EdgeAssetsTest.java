package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.Serving;
import dev.slipway.edge.RawClient.Answer;
import dev.slipway.release.ReleaseFiles;
import dev.slipway.release.ReleaseFiles.Content;
import dev.slipway.release.ReleaseFiles.Stored;
import dev.slipway.site.Site;
import dev.slipway.site.SiteIndex;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program has been replaced, and pages that it made still ask for the files of its release. */
class EdgeAssetsTest {
  private static final String OLD = "_next/static/chunks/old.js";
  private static final Site BEFORE =
      Site.of(
          ReleaseId.of(DeploymentId.next()), new Serving.Assets(".next/static", "_next/static"));

  private final TestEdge edge = new TestEdge();
  private final AtomicInteger asked = new AtomicInteger();

  @TempDir Path directory;

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void whatTheProgramDoesNotHaveIsTakenFromTheReleaseBefore() {
    serve(Map.of("chunks/old.js", "old", "chunks/both.js", "old"));

    Answer old = edge.get("/" + OLD + "?dpl=1");
    assertThat(old.status()).isEqualTo(200);
    assertThat(old.body()).isEqualTo("old");
    assertThat(old.header("content-type")).isEqualTo("text/javascript; charset=utf-8");
    assertThat(old.header("cache-control")).isEqualTo("public, max-age=31536000, immutable");
    assertThat(old.headers()).doesNotContainKey("x-made-by");
    assertThat(edge.get("/_next/static/chunks/both.js").body()).isEqualTo("new");
    assertThat(asked).hasValue(2);
  }

  @Test
  void anApplicationMayLieBelowAPathOfItsHost() {
    serve(Map.of("chunks/old.js", "old"));

    assertThat(edge.get("/docs/" + OLD).body()).isEqualTo("old");
    assertThat(edge.get("/docs_next/static/chunks/old.js").status()).isEqualTo(404);
  }

  @Test
  void everyOther404IsTheProgramsOwn() {
    serve(Map.of("chunks/old.js", "old", "page.html", "old"));

    for (String path :
        List.of(
            "/_next/static/chunks/none.js",
            "/_next/static/page.html",
            "/_next/static/../static/chunks/old.js",
            "/chunks/old.js",
            "/" + OLD + "/",
            "/orders/7")) {
      Answer answer = edge.get(path);
      assertThat(answer.status()).as(path).isEqualTo(404);
      assertThat(answer.body()).isEqualTo("none of mine");
      assertThat(answer.header("x-made-by")).isEqualTo("me");
    }
  }

  @Test
  void onlyWhatIsReadIsLookedFor() {
    serve(Map.of("chunks/old.js", "old"));
    RawClient client = edge.client();

    Answer post =
        client
            .send(
                "POST /%s HTTP/1.1\r\nHost: %s\r\nContent-Length: 2\r\n\r\nhi".formatted(OLD, SHOP))
            .answer();
    Answer head =
        client.send("HEAD /%s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(OLD, SHOP)).answer(true);

    assertThat(post.status()).isEqualTo(404);
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("content-length")).isEqualTo("3");
  }

  @Test
  void nothingStaysUnderWayAtTheProgram() {
    Target target = serve(Map.of("chunks/old.js", "old"));
    RawClient client = edge.client();

    for (int i = 0; i < 5; i++) {
      client.send("GET /%s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(OLD, SHOP));
      assertThat(client.answer().body()).isEqualTo("old");
    }

    assertThat(edge.edge.inFlight(target.instance())).isZero();
  }

  /** Leads the shop to a program, with the files of one that served before it. */
  private Target serve(Map<String, String> before) {
    Target target = edge.upstream(this::answer);
    edge.route(
        SHOP,
        site -> new SiteIndex(site, files(before)),
        new Route(
            ProjectId.next(),
            edge.deployment,
            false,
            List.of(target),
            Optional.empty(),
            List.of(TestEdge.earlier(BEFORE))));
    return target;
  }

  private void answer(HttpServerRequest request) {
    asked.incrementAndGet();
    boolean known = request.uri().endsWith("/both.js");
    request
        .response()
        .setStatusCode(known ? 200 : 404)
        .putHeader("x-made-by", "me")
        .end(known ? "new" : "none of mine");
  }

  private ReleaseFiles files(Map<String, String> contents) {
    return new ReleaseFiles(
        contents.entrySet().stream().map(file -> file(file.getKey(), file.getValue())).toList(),
        List.of());
  }

  private Content file(String path, String text) {
    try {
      Path stored = Files.writeString(Files.createTempFile(directory, "object-", ""), text);
      return new Content(path, "0".repeat(64), new Stored(stored, text.length()), Map.of());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
