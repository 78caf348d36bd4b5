package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What h2spec, a program of its own, finds out about our HTTP/2. Go builds it once. */
class Http2SpecTest {
  private static final GoProgram PROGRAM =
      new GoProgram("h2spec", "github.com/summerwind/h2spec/cmd/h2spec", "v2.2.1+incompatible");
  private static final int RUN_MINUTES = 5;
  private static final String HOST = "localhost";

  /**
   * What Netty does otherwise: a stream that has ended is forgotten, and what comes for it is
   * answered with an error of the stream where one of the connection is wanted. Both ends know that
   * it is over, and nothing of it reaches an app.
   */
  private static final Set<String> STREAMS_THAT_ENDED =
      Set.of(
          "http2/5.1: closed: Sends a HEADERS frame",
          "http2/5.1: half closed (remote): Sends a HEADERS frame",
          "http2/5.1.1: Sends stream identifier that is numerically smaller than previous");

  /** Without TLS it is a request by HTTP/1, and answered as one: with 400. */
  private static final String PREFACE = "http2/3.5: Sends invalid connection preface";

  private final TestAuthority authority = new TestAuthority();
  private final TestEdge edge =
      new TestEdge(_ ->
          new EdgeOptions("127.0.0.1", 0, "api.localhost", "apps.localhost")
              .withHttps(new HttpsOptions(0, 443, Optional.empty())));

  @TempDir private Path folder;

  @BeforeEach
  void route() {
    edge.edge.secure(new TlsTable(Map.of(), Optional.of(authority.issue(HOST)), Map.of()));
    edge.route(
        HOST,
        edge.upstream(
            request -> request.body().onSuccess(_ -> request.response().end("some text"))));
  }

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void withTls()
      throws IOException, InterruptedException, ParserConfigurationException, SAXException {
    try (RawHttp2 first = new RawHttp2(RawHttp2.secured(edge, authority, HOST))) {
      first.requestTo(HOST, 1, true, "GET", "/"); // Its own patience is short for a cold handshake.
      assertThat(first.answer(1).status()).isEqualTo(200);
    }
    assertThat(failures(edge.edge.securePort(), "--tls", "--insecure"))
        .isSubsetOf(STREAMS_THAT_ENDED);
  }

  @Test
  void withoutTls()
      throws IOException, InterruptedException, ParserConfigurationException, SAXException {
    assertThat(failures(edge.edge.port()))
        .isSubsetOf(Stream.concat(STREAMS_THAT_ENDED.stream(), Stream.of(PREFACE)).toList());
  }

  private Set<String> failures(int port, String... options)
      throws IOException, InterruptedException, ParserConfigurationException, SAXException {
    Path report = folder.resolve("report.xml");
    List<String> command =
        new ArrayList<>(
            List.of(
                PROGRAM.path().toString(),
                "--host",
                HOST,
                "--port",
                Integer.toString(port),
                "--timeout",
                "2",
                "--junit-report",
                report.toString()));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    try {
      assertThat(process.waitFor(RUN_MINUTES, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    NodeList cases =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getElementsByTagName("testcase");
    assertThat(cases.getLength()).isGreaterThan(100);
    return IntStream.range(0, cases.getLength())
        .mapToObj(i -> (Element) cases.item(i))
        .filter(it ->
            it.getElementsByTagName("failure").getLength() > 0
                || it.getElementsByTagName("error").getLength() > 0)
        .map(it -> it.getAttribute("package") + ": " + it.getAttribute("classname"))
        .collect(Collectors.toSet());
  }
}
