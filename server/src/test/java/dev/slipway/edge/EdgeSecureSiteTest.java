package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ReleaseId;
import dev.slipway.release.ReleaseStore;
import dev.slipway.site.Site;
import dev.slipway.site.SiteIndex;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sites by TLS, where the kernel cannot send the files by itself. */
class EdgeSecureSiteTest {
  private static final String WWW = "www.example.org";
  private static final int BYTES = (3 << 20) + 7;

  @TempDir Path directory;
  private final TestAuthority authority = new TestAuthority();
  private final TestEdge edge =
      new TestEdge(options -> options.withHttps(new HttpsOptions(0, 443, Optional.empty())));

  @AfterEach
  void close() {
    edge.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void aFileIsSentWholeAndInParts(HttpVersion version) throws IOException {
    byte[] film = new byte[BYTES];
    new Random(1).nextBytes(film);
    serve(film);

    Reply whole = get(version, Map.of());
    assertThat(whole.status()).isEqualTo(200);
    assertThat(whole.version()).isEqualTo(version);
    assertThat(whole.type()).isEqualTo("application/octet-stream");
    assertThat(whole.body().getBytes()).isEqualTo(film);
    Reply part = get(version, Map.of("Range", "bytes=1000-" + (BYTES - 1000)));
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).isEqualTo(Buffer.buffer(film).slice(1000, BYTES - 999));
  }

  private record Reply(int status, HttpVersion version, String type, Buffer body) {}

  private Reply get(HttpVersion version, Map<String, String> headers) {
    HttpClientAgent client =
        edge.vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(version)
                .setSsl(true)
                .setUseAlpn(true)
                .setTrustOptions(authority.trustOptions()));
    RequestOptions options =
        new RequestOptions()
            .setServer(SocketAddress.inetSocketAddress(edge.edge.securePort(), "127.0.0.1"))
            .setHost(WWW)
            .setPort(edge.edge.securePort())
            .setURI("/film.bin");
    headers.forEach(options::putHeader);
    return TestEdge.get(
        client
            .request(options)
            .compose(request -> request.send())
            .compose(response ->
                response
                    .body()
                    .map(body ->
                        new Reply(
                            response.statusCode(),
                            response.request().version(),
                            String.valueOf(response.getHeader("content-type")),
                            body)))
            .toCompletionStage()
            .toCompletableFuture());
  }

  private void serve(byte[] film) throws IOException {
    ReleaseStore store = new ReleaseStore(directory.resolve("releases"), Clock.systemUTC());
    Path tree = Files.createDirectory(directory.resolve("tree"));
    Files.write(tree.resolve("film.bin"), film);
    ReleaseId id = store.pack(ReleaseId.of(DeploymentId.next()), tree).id();
    edge.sites(
        WWW,
        false,
        site -> new SiteIndex(site, store.files(site.release(), site.folder())),
        new Site(id, "", Optional.empty(), false));
    edge.edge.secure(new TlsTable(Map.of(WWW, authority.issue(WWW)), Optional.empty(), Map.of()));
  }
}
