package dev.slipway.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import dev.slipway.core.AccountId;
import dev.slipway.core.DeliveryId;
import dev.slipway.core.EventId;
import dev.slipway.core.Secret;
import dev.slipway.core.WebhookId;
import dev.slipway.edge.TestAuthority;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SenderTest {
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final String BODY = "{\"type\":\"project.created\",\"data\":\"größer\"}";

  private final Vertx vertx = Vertx.vertx();
  private final TestAuthority authority = new TestAuthority();
  private final Secret secret = Signatures.newSecret();
  private final Secret former = Signatures.newSecret();
  private final Receiver receiver = new Receiver(vertx);
  private final CountDownLatch over = new CountDownLatch(1);
  private final Sender sender = sender(true, Sender.LIMIT);
  private final Sender hasty = sender(true, SHORT);

  @AfterEach
  void close() {
    over.countDown();
    sender.close();
    hasty.close();
    receiver.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void aRequestIsOneOfStandardWebhooks() throws Exception {
    Sending sending = sending(receiver.url());

    Attempt attempt = sender.send(sending);

    assertThat(attempt.error()).isEmpty();
    assertThat(attempt.answer().orElseThrow().status()).isEqualTo(200);
    Receiver.Message message = receiver.messages().getFirst();
    assertThat(message.path()).isEqualTo("/hook?a=b");
    assertThat(message.body()).isEqualTo(BODY);
    assertThat(message.id()).isEqualTo(sending.event().value());
    assertThat(message.header("content-type")).isEqualTo("application/json");
    assertThat(message.header("host")).isEqualTo("localhost:" + receiver.port());
    assertThat(message.header("user-agent")).startsWith("Slipway");
    assertThat(message.header("webhook-timestamp"))
        .isEqualTo(Long.toString(attempt.at().getEpochSecond()));
    assertThat(message.header("webhook-signature").split(" ")).hasSize(2);
    verify(message, secret);
    verify(message, former);
    attempt
        .requestHeaders()
        .forEach((name, value) -> assertThat(message.headers().get(name)).isEqualTo(value));
  }

  private static void verify(Receiver.Message message, Secret secret) throws Exception {
    Map<String, List<String>> headers =
        message.headers().entries().stream()
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getKey,
                    Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    new Webhook(secret.reveal()).verify(message.body(), headers);
  }

  @Test
  void anAnswerIsKeptWithItsHeadersAndItsBeginning() throws Exception {
    receiver.answer(request ->
        request
            .response()
            .setStatusCode(202)
            .putHeader("X-One", (Iterable<String>) List.of("1", "2"))
            .end("ä\0" + "x".repeat(3000)));

    Attempt.Answer answer = send(receiver.url()).answer().orElseThrow();

    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.headers()).containsEntry("x-one", "1, 2");
    assertThat(answer.body()).startsWith("ä\uFFFDxxx").hasSize(1023); // 1,024 bytes
  }

  @Test
  void whatIsNoSuccessSaysSo() throws Exception {
    receiver.answer(500);
    assertThat(send(receiver.url()).error()).contains("The endpoint answered 500.");
    receiver.answer(404);
    assertThat(send(receiver.url()).answer().orElseThrow().body()).isEqualTo("so");
  }

  @Test
  void aRedirectIsAFailureAndNotFollowed() throws Exception {
    for (int status : List.of(301, 302, 303, 307, 308)) {
      receiver.answer(request ->
          request
              .response()
              .setStatusCode(status)
              .putHeader("Location", receiver.url() + "&again=1")
              .end());

      assertThat(send(receiver.url()).error().orElseThrow())
          .contains("answered " + status, "redirects are not followed");
    }
    assertThat(receiver.messages()).hasSize(5).allMatch(it -> !it.path().contains("again"));
  }

  @Test
  void whatAnswersNothingIsGivenUp() throws Exception {
    try (RawReceiver silent = new RawReceiver(_ -> over.await())) {
      Attempt attempt = hasty.send(sending(silent.url()));

      assertThat(attempt.error()).contains("127.0.0.1 did not answer within 3 s.");
      assertThat(attempt.answer()).isEmpty();
    }
  }

  @Test
  void aHeadThatNeverEndsIsGivenUp() throws Exception {
    try (RawReceiver dripping =
        new RawReceiver(out -> {
          out.write("HTTP/1.1 200 OK\r\nX-Slow: ".getBytes(StandardCharsets.ISO_8859_1));
          drip(out);
        })) {
      assertThat(hasty.send(sending(dripping.url())).error())
          .contains("127.0.0.1 did not answer within 3 s.");
    }
  }

  @Test
  void aStatusCountsHoweverLongItsBodyGoesOn() throws Exception {
    try (RawReceiver dripping =
        new RawReceiver(out -> {
          out.write(
              "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"
                  .getBytes(StandardCharsets.ISO_8859_1));
          drip(out);
        })) {
      Attempt attempt = hasty.send(sending(dripping.url()));
      assertThat(attempt.error()).isEmpty();
      assertThat(attempt.answer().orElseThrow().body()).startsWith("xx");
    }
    byte[] much = "x".repeat(1 << 16).getBytes(StandardCharsets.ISO_8859_1);
    try (RawReceiver endless =
        new RawReceiver(out -> {
          out.write("HTTP/1.1 500 No\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
          while (over.getCount() > 0) {
            out.write(much);
          }
        })) {
      Attempt attempt = send(endless.url());
      assertThat(attempt.error()).contains("The endpoint answered 500.");
      assertThat(attempt.answer().orElseThrow().body()).hasSize(1024);
    }
  }

  private void drip(OutputStream out) throws IOException, InterruptedException {
    while (!over.await(20, TimeUnit.MILLISECONDS)) {
      out.write('x');
      out.flush();
    }
  }

  @Test
  void whatIsNoHttpIsToldApartFromSilence() throws Exception {
    for (String garbage :
        List.of(
            "\u0000\u0001\u0002\u00ff\u00fe\r\n\r\n",
            "SSH-2.0-OpenSSH_9.2\r\n",
            "HTTP/1.1 abc\r\n\r\n",
            "HTTP/1.1 200 OK\r\nbad header\r\nX: " + "x".repeat(20_000) + "\r\n\r\n")) {
      try (RawReceiver server = RawReceiver.writing(garbage)) {
        assertThat(send(server.url()).error())
            .as(garbage.length() > 100 ? "long header" : garbage)
            .contains("What 127.0.0.1 answered is no HTTP.");
      }
    }
    try (RawReceiver server = RawReceiver.writing("")) {
      assertThat(send(server.url()).error())
          .contains("127.0.0.1 closed the connection without an answer.");
    }
  }

  @Test
  void whereNobodyListensTheConnectionIsRefused() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }

    assertThat(send("http://127.0.0.1:%d/".formatted(free)).error())
        .contains("127.0.0.1 refused the connection.");
  }

  @Test
  void aNameThatIsNotThereIsNotFound() throws Exception {
    assertThat(send("https://nothing.invalid/").error())
        .contains("The name nothing.invalid was not found in DNS.");
  }

  @Test
  void addressesOfTheseNetworksAreRefusedInEveryForm() throws Exception {
    try (Sender strict = sender(false, Sender.LIMIT)) {
      for (String host :
          List.of(
              "127.0.0.1",
              "localhost",
              "[::1]",
              "[::ffff:127.0.0.1]",
              "[::127.0.0.1]",
              "10.1.2.3",
              "169.254.169.254",
              "[fd00:ec2::254]",
              "[64:ff9b::10.0.0.1]",
              "0.0.0.0")) {
        Attempt attempt =
            strict.send(sending("http://%s:%d/hook".formatted(host, receiver.port())));
        assertThat(attempt.error().orElseThrow())
            .as(host)
            .contains("not one of the public internet; nothing was sent");
        assertThat(attempt.answer()).isEmpty();
      }
    }
    assertThat(receiver.messages()).isEmpty();
  }

  @Test
  void theCertificateMustBeOfTheNameAndOfAnAuthorityThatIsTrusted() throws Exception {
    try (Receiver right = secure("localhost");
        Receiver wrong = secure("other.example.org");
        Sender untrusting = new Sender(vertx, true, Clock.systemUTC())) {
      assertThat(sender.send(sending(secureUrl(right))).error()).isEmpty();
      assertThat(sender.send(sending(secureUrl(wrong))).error().orElseThrow())
          .startsWith("TLS with localhost failed: ");
      assertThat(untrusting.send(sending(secureUrl(right))).error().orElseThrow())
          .startsWith("TLS with localhost failed: ");
      assertThat(wrong.messages()).isEmpty();
      assertThat(right.messages()).hasSize(1);
    }
  }

  @Test
  void anEndpointThatSpeaksNoTlsSaysSo() throws Exception {
    assertThat(send(secureUrl(receiver)).error().orElseThrow())
        .startsWith("TLS with localhost failed: ");
  }

  private Receiver secure(String host) {
    var issued = authority.issue(host);
    return new Receiver(
        vertx,
        new HttpServerOptions()
            .setSsl(true)
            .setSni(true)
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .addCertValue(Buffer.buffer(TestAuthority.pem(issued.chain())))
                    .addKeyValue(
                        Buffer.buffer(
                            TestAuthority.pem("PRIVATE KEY", issued.key().getEncoded())))));
  }

  private static String secureUrl(Receiver receiver) {
    return "https://localhost:%d/hook".formatted(receiver.port());
  }

  private Sender sender(boolean allowPrivate, Duration limit) {
    return new Sender(
        vertx, allowPrivate, Optional.of(authority.trustOptions()), limit, Clock.systemUTC());
  }

  private Attempt send(String url) throws Exception {
    return sender.send(sending(url));
  }

  private Sending sending(String url) {
    return new Sending(
        DeliveryId.next(),
        new Endpoint(WebhookId.next(), new AccountId("acc_1")),
        EventId.next(),
        "prj_1",
        1,
        Instant.now(),
        url,
        () -> List.of(secret, former),
        BODY);
  }
}
