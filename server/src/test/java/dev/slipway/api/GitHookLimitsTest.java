package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Eventually;
import dev.slipway.core.Secret;
import dev.slipway.hook.HookRequest;
import dev.slipway.hook.HostMessages;
import dev.slipway.project.Project;
import io.vertx.core.MultiMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What one account, one address, and all of them together may ask of the entrance of git hosts. */
class GitHookLimitsTest {
  private static final int PER_MINUTE = 5;
  private static final int MEBIBYTE = 1 << 20;
  private static final byte[] PUSH = HostMessages.body("github/push");

  private final ApiPlace api =
      new ApiPlace(
          new Api.Http(
              _ -> PER_MINUTE,
              PER_MINUTE,
              List.of(),
              List.of(),
              ApiPlace.MAX_JSON_BYTES,
              Api.Http.BODY_TIME));
  private final Project project = api.plane.project("shop");
  private final Secret secret = api.plane.main.hooks.renewSecret(api.plane.account, project.id());
  private final String path = "/hooks/git/" + project.id();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void whatIsProvenCountsAsRequestsOfTheAccount() {
    for (int i = 0; i < PER_MINUTE; i++) {
      assertThat(send(proven(i)).status()).isEqualTo(200);
    }
    api.plane.clock.advance(Duration.ofSeconds(20));

    RawHttp.Response limited = send(proven(PER_MINUTE));

    assertThat(limited.status()).isEqualTo(429);
    assertThat(limited.body()).contains("messages of git hosts among them");
    assertThat(limited.headers().get("Retry-After")).isEqualTo("40");
    assertThat(api.plane.count("hook_delivery")).isEqualTo(PER_MINUTE);
    assertThat(api.get("/v1/projects").status()).isEqualTo(429);
    api.plane.clock.advance(Duration.ofMinutes(1));
    assertThat(send(proven(PER_MINUTE)).status()).isEqualTo(200);
  }

  @Test
  void ofAnAddressThatProvedNothingTooOftenNoLargeBodyIsRead() throws IOException {
    HookRequest wrong = HostMessages.github("push", PUSH, new Secret("another"));
    for (int i = 0; i <= PER_MINUTE; i++) {
      assertThat(send(wrong).status()).isEqualTo(i < PER_MINUTE ? 401 : 429);
    }

    RawHttp.Response refused =
        RawHttp.send(api.port(), head(MEBIBYTE).getBytes(StandardCharsets.UTF_8)).orElseThrow();

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.body()).contains("without proof of who sent them");
    assertThat(send(proven(0)).status())
        .as("a message of usual size: others send from that address too")
        .isEqualTo(200);
  }

  @Test
  void ofAllBodiesTogetherNoMoreThanSixtyFourMebibytesAreHeld() throws IOException {
    byte[] large = new byte[9 * MEBIBYTE];
    List<Socket> unfinished = new ArrayList<>();
    try {
      for (int i = 0; i < 7; i++) {
        unfinished.add(begun(large));
      }

      Eventually.holds("no more is taken", () -> another(2 * MEBIBYTE) == 503);
    } finally {
      for (Socket socket : unfinished) {
        socket.close();
      }
    }
    Eventually.holds("what is gone is held no more", () -> another(2 * MEBIBYTE) == 401);
  }

  /**
   * What an unproven message is answered, in a minute of its own; 0 where nothing could be read.
   */
  private int another(int bytes) {
    api.plane.clock.advance(Duration.ofMinutes(1));
    byte[] head = head(bytes).getBytes(StandardCharsets.UTF_8);
    try {
      return RawHttp.send(api.port(), Arrays.copyOf(head, head.length + bytes))
          .map(RawHttp.Response::status)
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A message of which all but the last byte is sent. */
  private Socket begun(byte[] body) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port());
    socket.getOutputStream().write(head(body.length + 1).getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().write(body);
    socket.getOutputStream().flush();
    return socket;
  }

  private String head(int bytes) {
    return """
    POST %s HTTP/1.1
    Host: localhost
    X-GitHub-Event: push
    X-Hub-Signature-256: sha256=00
    Content-Length: %d

    """
        .formatted(path, bytes)
        .replace("\n", "\r\n");
  }

  /** Each with another number of blanks after it, so that each is another message. */
  private HookRequest proven(int blanks) {
    byte[] body =
        (new String(PUSH, StandardCharsets.UTF_8) + " ".repeat(blanks))
            .getBytes(StandardCharsets.UTF_8);
    return HostMessages.github("push", body, secret);
  }

  private RawHttp.Response send(HookRequest message) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    message.headers().forEach(headers::add);
    try {
      return RawHttp.exchange(api.port(), "POST", path, headers, Optional.of(message.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
