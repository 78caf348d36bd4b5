package dev.slipway.dashboard;

import dev.slipway.api.LocalRequest;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/** What the API tells of a project, as far as pages need it. */
record ProjectFacts(
    String id,
    String name,
    String source,
    Optional<String> repo,
    Optional<String> branch,
    Optional<String> framework,
    String region,
    String instanceType,
    int instances,
    boolean asleep,
    String previews,
    String url,
    Optional<String> liveDeploymentId,
    Optional<Long> sleepAfterSeconds,
    Optional<Crash> crashing,
    Optional<Restarted> restart) {

  /** That its program crashes again and again. */
  record Crash(Instant since, Failed error) {}

  record Failed(String code, String message) {}

  record Restarted(String status, Instant requestedAt, Optional<Failed> error) {
    boolean isRunning() {
      return status.equals("running");
    }
  }

  /** The project of the visitor's account. */
  static ProjectFacts of(Visit visit, String id) {
    return visit.ask(LocalRequest.of("getProject").path("project_id", id), ProjectFacts.class);
  }

  /** The address without its scheme. */
  String host() {
    return URI.create(url).getAuthority();
  }

  String path() {
    return ProjectHead.path(id);
  }
}
