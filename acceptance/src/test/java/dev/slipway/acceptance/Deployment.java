package dev.slipway.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/** A deployment, read anew from the API at each question. */
record Deployment(SlipwayProcess slipway, String id) {
  private static final Set<String> ENDED = Set.of("live", "failed", "rolled_back");

  JsonNode read() {
    return slipway.api().get("/v1/deployments/" + id);
  }

  String status() {
    return read().get("status").asText();
  }

  boolean isCurrent() {
    return read().get("current").asBoolean();
  }

  String errorCode() {
    return read().at("/error/code").asText();
  }

  String errorMessage() {
    return read().at("/error/message").asText();
  }

  Instant liveAt() {
    return Instant.parse(read().get("live_at").asText());
  }

  String previewHost() {
    return URI.create(read().get("preview_url").asText()).getAuthority();
  }

  /** Its log, a line an entry: level, then message. */
  String log() {
    return String.join(
        "\n",
        StreamSupport.stream(
                slipway.api().get("/v1/deployments/" + id + "/logs").get("logs").spliterator(),
                false)
            .map(entry -> entry.get("level").asText() + " " + entry.get("message").asText())
            .toList());
  }

  void awaitStatus(String status) {
    Wait.until(id + " is " + status, Duration.ofSeconds(60), () -> status().equals(status));
  }

  void awaitLog(String text) {
    Wait.until(text + " in the log", Duration.ofSeconds(60), () -> log().contains(text));
  }

  /** Fails, with the log, where it ends in another way. */
  Deployment awaitLive() {
    String end = awaitEnd(Duration.ofSeconds(90));
    if (!end.equals("live")) {
      throw new AssertionError(id + " is " + end + ":\n" + log());
    }
    return this;
  }

  Deployment awaitFailed() {
    String end = awaitEnd(Duration.ofSeconds(100));
    if (!end.equals("failed")) {
      throw new AssertionError(id + " is " + end + ":\n" + log());
    }
    return this;
  }

  private String awaitEnd(Duration limit) {
    return Wait.until(
        id + " has ended", limit, () -> Optional.of(status()).filter(ENDED::contains));
  }
}
