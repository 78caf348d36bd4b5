package dev.slipway.hook.host;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.TransientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked again later, and what is not. */
class HostConnectionTest {
  private final FakeGithub host = FakeGithub.github();
  private final GitHostApi api = host.api(host.token());

  @AfterEach
  void close() {
    host.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503})
  void aHostThatCannotNowIsAskedLater(int status) {
    host.answerNext(status, Map.of());

    assertThatThrownBy(this::say).isInstanceOf(TransientException.class);
  }

  @Test
  void soIsOneOfWhichTooMuchWasAsked() {
    host.answerNext(403, Map.of("Retry-After", "60"));
    assertThatThrownBy(this::say).isInstanceOf(TransientException.class);

    host.answerNext(403, Map.of("X-RateLimit-Remaining", "0"));
    assertThatThrownBy(this::say).isInstanceOf(TransientException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 422})
  void oneThatRefusesIsNot(int status) {
    host.answerNext(status, Map.of());

    assertThatThrownBy(this::say)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("HTTP status " + status)
        .hasMessageContaining("as told");
  }

  @Test
  void theTokenGoesToNoOtherAddress() {
    try (FakeGithub other = FakeGithub.github()) {
      host.answerNext(307, Map.of("Location", other.base() + "/repos/acme/shop/issues/7/comments"));

      assertThatThrownBy(this::say).isInstanceOf(RefusedException.class);
      assertThat(other.requests()).isEmpty();
    }
  }

  @Test
  void oneThatIsNotThereIsAskedLater() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    GitHostApi none = GithubApi.ofGithub(URI.create("http://127.0.0.1:" + port), host.token());

    assertThatThrownBy(
            () -> none.comment(host.repo(), 7, Optional.empty(), new Comment("mark", "text")))
        .isInstanceOf(TransientException.class)
        .hasMessageNotContaining(host.token().reveal());
  }

  @Test
  @Timeout(60)
  void oneThatStopsInMidAnswerIsAskedLater() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answerHalf(socket));
      HostConnection half =
          new HostConnection(
              URI.create("http://127.0.0.1:" + socket.getLocalPort()),
              Map.of(),
              Duration.ofSeconds(1));

      assertThatThrownBy(() -> half.send("POST", "/", Map.of()))
          .isInstanceOf(TransientException.class)
          .hasMessageContaining("within 1 s");
    }
  }

  /** Until the other end has had enough. */
  private static void answerHalf(ServerSocket socket) {
    try (Socket connection = socket.accept()) {
      connection
          .getOutputStream()
          .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(US_ASCII));
      var _ = connection.getInputStream().readAllBytes();
    } catch (IOException e) {
      // the test sees that there was no answer
    }
  }

  private void say() throws InterruptedException {
    var _ =
        api.comment(host.repo(), host.pullRequest(), Optional.empty(), new Comment("mark", "text"));
  }
}
