package dev.slipway.api;

import dev.slipway.core.DeliveryId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import dev.slipway.edge.Addresses;
import dev.slipway.hook.GitHooks;
import dev.slipway.hook.HookDelivery;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The resources {@code /projects/{project_id}/hook_secret} and {@code …/hook_deliveries}. */
public final class HookOperations implements Operations {
  private final GitHooks hooks;
  private final Paging paging;
  private final Addresses addresses;

  HookOperations(GitHooks hooks, Paging paging, Addresses addresses) {
    this.hooks = hooks;
    this.paging = paging;
    this.addresses = addresses;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of("makeHookSecret", this::makeSecret, "listHookDeliveries", this::list);
  }

  /**
   * @param url which the git host sends to
   */
  record SecretView(String url, String secret) {}

  /**
   * @param deliveryId the host's
   */
  record DeliveryView(
      String id,
      String event,
      Optional<String> deliveryId,
      String outcome,
      String reason,
      Optional<String> deploymentId,
      Optional<String> previewId,
      Instant receivedAt) {
    static DeliveryView of(HookDelivery delivery) {
      return new DeliveryView(
          delivery.id().value(),
          delivery.event(),
          delivery.hostId(),
          delivery.outcome().wireName(),
          delivery.reason(),
          delivery.deploymentId().map(DeploymentId::value),
          delivery.previewId().map(PreviewId::value),
          delivery.receivedAt());
    }
  }

  private Answer makeSecret(Call call) {
    ProjectId project = project(call);
    String secret = hooks.renewSecret(call.account(), project).reveal();
    return Answer.ok(new SecretView(addresses.of("/hooks/git/" + project), secret));
  }

  private Answer list(Call call) {
    ProjectId project = project(call);
    return paging.page(
        call,
        "hook deliveries " + project,
        (after, limit) -> hooks.list(call.account(), project, after.map(DeliveryId::new), limit),
        delivery -> delivery.id().value(),
        DeliveryView::of);
  }

  private static ProjectId project(Call call) {
    return new ProjectId(call.path("project_id"));
  }
}
