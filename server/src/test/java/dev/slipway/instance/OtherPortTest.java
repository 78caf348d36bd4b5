package dev.slipway.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OtherPortTest {
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void whatAnswersThePathIsTheApplication() throws Exception {
    answers(200, Optional.of("text/html; charset=utf-8"));

    assertThat(isApplication()).isTrue();
  }

  @Test
  void anAnswerThatNeverEndsIsOneToo() throws Exception {
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write('.');
          exchange.getResponseBody().flush();
        });

    assertThat(isApplication()).isTrue();
  }

  @Test
  void aDebuggerAndMetricsAreNot() throws Exception {
    answers(400, Optional.empty());
    assertThat(isApplication()).isFalse();

    answers(200, Optional.of("text/plain; version=0.0.4; charset=utf-8"));
    assertThat(isApplication()).isFalse();
  }

  @Test
  void aPortThatIsClosedAgainIsNot() throws Exception {
    int port = server.getAddress().getPort();
    server.stop(0);

    assertThat(OtherPort.isApplication(Set.of(port), "/")).isFalse();
  }

  private boolean isApplication() throws InterruptedException {
    return OtherPort.isApplication(Set.of(server.getAddress().getPort()), "/up?full=1");
  }

  private void answers(int status, Optional<String> type) {
    try {
      server.removeContext("/");
    } catch (IllegalArgumentException first) {
      // there was none
    }
    server.createContext(
        "/",
        exchange -> {
          type.ifPresent(it -> exchange.getResponseHeaders().set("content-type", it));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
  }
}
