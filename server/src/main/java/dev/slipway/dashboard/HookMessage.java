package dev.slipway.dashboard;

import java.time.Instant;
import java.util.Optional;

/**
 * A message of a project's git host as the API tells of it.
 *
 * @param event in the host's words
 * @param deliveryId the host's name of the message
 * @param outcome {@code deployed}, {@code preview}, {@code ignored} or {@code ping}
 * @param reason why, as a sentence
 */
public record HookMessage(
    String id,
    String event,
    Optional<String> deliveryId,
    String outcome,
    String reason,
    Optional<String> deploymentId,
    Optional<String> previewId,
    Instant receivedAt) {

  public Badge badge() {
    return new Badge(
        deploymentId.isPresent() || previewId.isPresent() ? "ok" : "off", Badge.capital(outcome));
  }

  /**
   * The page of what was made of it; empty where nothing was.
   *
   * @param project its id
   */
  public String link(String project) {
    return deploymentId
        .map(DeploymentLine::path)
        .or(() -> previewId.map(it -> PreviewFacts.path(project, it)))
        .orElse("");
  }
}
