package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.project.Project;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Bodies that do not come in time. The limit is so short here that a loaded machine may miss it
 * with any body: no other test shares this place.
 */
class SlowBodyTest {
  private static final String BODY = "{\"source\": \"github\", \"repo\": \"acme/late\"}";
  private static final int TIMEOUT_MILLIS = 60_000;

  private final ApiPlace api =
      new ApiPlace(
          new Api.Http(
              _ -> ApiPlace.MANY,
              ApiPlace.MANY,
              List.of(),
              List.of(),
              ApiPlace.MAX_JSON_BYTES,
              Duration.ofMillis(500)));

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aBodyThatDoesNotComeInTimeIsRefusedAndItsConnectionClosed() throws IOException {
    try (Socket socket = begin()) {
      // Ends only when the server closes: a time-out fails the test.
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer)
          .startsWith("HTTP/1.1 400 ")
          .containsIgnoringCase("\r\nConnection: close\r\n")
          .containsIgnoringCase("\r\nX-RateLimit-Limit: ")
          .containsIgnoringCase("\r\nX-Request-Id: ")
          .contains("\"invalid_request\"")
          .contains("did not come in time");
    }
    assertNothingWasMade();
  }

  @Test
  void aBodyThatComesAfterItsRefusalIsNotCarriedOut() throws IOException {
    try (Socket socket = begin()) {
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      sendTheRestUntilItIsClosed(socket);
    }
    assertNothingWasMade();
  }

  @Test
  void aFileThatStopsComingIsRefusedAndLeavesNothing() throws IOException {
    try (Socket socket = connect()) {
      write(
          socket,
          "POST /v1/uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/zip\r\n"
              + "Authorization: Bearer %s\r\nContent-Length: 100\r\n\r\nhalf".formatted(api.key));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer).startsWith("HTTP/1.1 400 ").contains("did not come in time");
    }
    assertThat(api.plane.directory.resolve("uploads")).isEmptyDirectory();
    assertThat(api.plane.count("upload")).isZero();
  }

  @Test
  void aMessageOfAGitHostThatStopsComingIsRefusedAndLeavesNothing() throws IOException {
    Project project = api.plane.project("shop");
    var _ = api.plane.main.hooks.renewSecret(api.plane.account, project.id());
    try (Socket socket = connect()) {
      write(
          socket,
          "POST /hooks/git/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nX-GitHub-Event: push\r\nX-Hub-Signature-256: sha256=00\r\nContent-Length: 100\r\n\r\nhalf"
              .formatted(project.id()));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer).startsWith("HTTP/1.1 400 ").contains("did not come in time");
    }
    assertThat(api.plane.count("hook_delivery")).isZero();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  /** Sends all of the request but the end of its body. */
  private Socket begin() throws IOException {
    Socket socket = connect();
    String head =
        "POST /v1/migrations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "Authorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
                .formatted(api.key, BODY.length());
    write(socket, head + BODY.charAt(0));
    return socket;
  }

  private static void sendTheRestUntilItIsClosed(Socket socket) throws IOException {
    try {
      write(socket, BODY.substring(1));
      socket.getInputStream().readAllBytes();
    } catch (SocketException closed) {
      // As good as an end: the server did not wait for what came late.
    }
  }

  private void assertNothingWasMade() {
    assertThat(api.get("/v1/migrations").data()).isEmpty();
    assertThat(api.plane.count("migration")).isZero();
    assertThat(api.plane.count("project")).isZero();
    assertThat(api.plane.count("deployment")).isZero();
  }

  private static void write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
