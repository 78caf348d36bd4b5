package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What endpoints get of a real server, also of one that is killed again and again. Signatures are
 * checked by the reference libraries of Standard Webhooks.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WebhookTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path FILES = Path.of("src/test/webhooks").toAbsolutePath();
  private static final Path WORK = Path.of("target/webhooks").toAbsolutePath();
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int KILLS = Integer.getInteger("kills", 5);

  private final SlipwayProcess slipway =
      SlipwayProcess.start(_ -> Map.of("webhooks", "{allow_private_targets: true}"));

  @AfterAll
  void end() {
    slipway.close();
  }

  @Test
  void theReferenceLibrariesTakeWhatIsSent() throws IOException {
    install();
    try (Endpoint endpoint = Endpoint.start()) {
      JsonNode webhook = webhook(endpoint, List.of());
      App app = slipway.migrate(ExpressApp.named("signed"));
      Wait.until(
          "its deployment is told to be live",
          LIMIT,
          () -> endpoint.messages().stream().anyMatch(it -> type(it).equals("deployment.live")));
      String former = webhook.get("secret").asText();
      String secret = rotated(webhook);
      test(webhook);
      Wait.until(
          "the test has come",
          LIMIT,
          () -> endpoint.messages().stream().anyMatch(it -> type(it).equals("webhook.test")));

      for (Endpoint.Message message : endpoint.messages()) {
        assertThat(takenBy("node", message, former)).isEqualTo(type(message));
        assertThat(takenBy("python", message, former)).isEqualTo(type(message));
      }
      Endpoint.Message test = endpoint.messages().getLast();
      assertThat(takenBy("node", test, secret)).isEqualTo("webhook.test");
      assertThat(takenBy("python", test, secret)).isEqualTo("webhook.test");
      assertThat(test.headers().get("webhook-signature")).contains(" v1,");
      assertThat(data(endpoint, "deployment.live").get("id").asText()).isEqualTo(app.first().id());
      remove(webhook);
    }
  }

  private static JsonNode data(Endpoint endpoint, String type) {
    return endpoint.messages().stream()
        .filter(it -> type(it).equals(type))
        .findFirst()
        .orElseThrow()
        .json()
        .get("data");
  }

  /**
   * What happens between a move and its delivery costs no event: each deployment that there is has
   * told of each of its moves, in their order, and what came twice came with the same id.
   */
  @Test
  void nothingIsLostHoweverOftenTheServerIsKilled() throws IOException {
    try (Endpoint endpoint = Endpoint.start()) {
      JsonNode webhook =
          webhook(endpoint, List.of("deployment.queued", "deployment.failed", "migration.failed"));
      Set<String> accepted = new LinkedHashSet<>();
      for (int kill = 0; kill < KILLS; kill++) {
        accepted.add(ask());
        // Sometimes before the event has its place, sometimes while it is sent, sometimes after.
        LockSupport.parkNanos(
            Duration.ofMillis(ThreadLocalRandom.current().nextLong(120)).toNanos());
        slipway.kill();
        slipway.startAgain();
      }
      Wait.until(
          "each deployment that was accepted has told of its end",
          LIMIT,
          () -> resources(endpoint, "deployment.failed").containsAll(accepted));
      Wait.until("nothing waits any more", LIMIT, () -> pending(webhook).isEmpty());

      assertThat(resources(endpoint, "deployment.queued")).containsAll(accepted);
      assertThat(resources(endpoint, "migration.failed")).hasSize(accepted.size());
      bodiesOfEachId(endpoint).forEach((id, bodies) -> assertThat(bodies).as(id).hasSize(1));
      accepted.forEach(deployment -> {
        List<Integer> firsts = firstsOf(endpoint, deployment);
        assertThat(firsts).isSorted().doesNotHaveDuplicates();
      });
      remove(webhook);
    }
  }

  /** A deployment that fails, as its repository is empty. */
  private String ask() {
    return slipway
        .beginMigration("folder", "acme/none" + ThreadLocalRandom.current().nextInt(), Map.of())
        .first()
        .id();
  }

  private static Set<String> resources(Endpoint endpoint, String type) {
    return endpoint.messages().stream()
        .filter(it -> type(it).equals(type))
        .map(it -> it.json().at("/data/id").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, Set<String>> bodiesOfEachId(Endpoint endpoint) {
    Map<String, Set<String>> bodies = new HashMap<>();
    endpoint
        .messages()
        .forEach(it -> bodies.computeIfAbsent(it.id(), _ -> new TreeSet<>()).add(it.body()));
    return bodies;
  }

  /** The sequences of a deployment's events in the order in which each came for the first time. */
  private static List<Integer> firstsOf(Endpoint endpoint, String deployment) {
    Collection<Integer> firsts =
        endpoint.messages().stream()
            .map(Endpoint.Message::json)
            .filter(it -> it.at("/data/id").asText().equals(deployment))
            .map(it -> it.get("sequence").asInt())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return new ArrayList<>(firsts);
  }

  private JsonNode pending(JsonNode webhook) {
    return slipway.api().get(path(webhook) + "/deliveries?status=pending");
  }

  private JsonNode webhook(Endpoint endpoint, List<String> events) {
    return slipway.api().post("/v1/webhooks", Map.of("url", endpoint.url(), "events", events));
  }

  private void test(JsonNode webhook) {
    var _ = slipway.api().post(path(webhook) + "/test", Map.of());
  }

  private String rotated(JsonNode webhook) {
    return slipway
        .api()
        .send(slipway.api().json(path(webhook) + "/rotate_secret", "{}"))
        .json()
        .at("/data/secret")
        .asText();
  }

  private void remove(JsonNode webhook) {
    HttpRequest.Builder request = slipway.api().request(path(webhook)).DELETE();
    assertThat(slipway.api().send(request).status()).isEqualTo(200);
  }

  private static String path(JsonNode webhook) {
    return "/v1/webhooks/" + webhook.get("id").asText();
  }

  private static String type(Endpoint.Message message) {
    return message.json().get("type").asText();
  }

  private static void install() throws IOException {
    Programs.require("node", "npm", "python3");
    Files.createDirectories(WORK);
    for (String name : List.of("package.json", "verify.js", "verify.py", "requirements.txt")) {
      Files.copy(FILES.resolve(name), WORK.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    if (!Files.exists(WORK.resolve("node_modules/standardwebhooks"))) {
      Programs.run(WORK, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock");
    }
    if (!Files.exists(WORK.resolve("venv/installed"))) {
      Programs.run(WORK, "python3", "-m", "venv", "venv");
      Programs.run(
          WORK,
          WORK.resolve("venv/bin/pip").toString(),
          "install",
          "--quiet",
          "--disable-pip-version-check",
          "--requirement",
          "requirements.txt");
      Files.createFile(WORK.resolve("venv/installed"));
    }
  }

  /**
   * The type of the event, as a library of the language reads it from a request that it takes.
   *
   * @param language {@code node} or {@code python}
   */
  private static String takenBy(String language, Endpoint.Message message, String secret) {
    List<String> line =
        language.equals("node")
            ? List.of("node", "verify.js")
            : List.of(WORK.resolve("venv/bin/python").toString(), "verify.py");
    ProcessBuilder builder =
        new ProcessBuilder(line).directory(WORK.toFile()).redirectErrorStream(true);
    try {
      Process process = builder.start();
      try (var input = process.getOutputStream()) {
        input.write(
            JSON.writeValueAsBytes(
                Map.of("secret", secret, "headers", message.headers(), "body", message.body())));
      }
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(printed).isZero();
      return printed.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
