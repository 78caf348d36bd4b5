package dev.slipway.hook;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Gitea and Forgejo, which also send the headers of GitHub. */
final class GiteaSender implements Sender {
  private static final String FORGEJO = "X-Forgejo-Signature";
  private static final String GITEA = "X-Gitea-Signature";

  @Override
  public boolean sent(HookRequest request) {
    return request.first("X-Forgejo-Event", "X-Gitea-Event").isPresent();
  }

  @Override
  public String proof() {
    return GITEA;
  }

  @Override
  public boolean isSigned(HookRequest request) {
    return request.first(FORGEJO, GITEA, "X-Hub-Signature-256").isPresent();
  }

  @Override
  public boolean isProven(HookRequest request, HookSecret secret, Instant now) {
    return request
        .first(FORGEJO, GITEA)
        .map(given -> Sender.matches(given, secret.sign(request.body())))
        .orElseGet(() -> GithubSender.isProven(request, secret));
  }

  @Override
  public String event(HookRequest request) {
    return request.first("X-Forgejo-Event", "X-Gitea-Event").orElse("");
  }

  @Override
  public Optional<String> deliveryId(HookRequest request) {
    return request.first("X-Forgejo-Delivery", "X-Gitea-Delivery");
  }

  @Override
  public Message read(String event, Payload payload) {
    return switch (event) {
      case "push" -> new Message.Pushed(push(payload));
      case "pull_request", "pull_request_sync" ->
          PullRequestFields.read(payload, "synchronized", "/changes/ref");
      default ->
          new Message.Other(
              "The event %s is none that deploys; push and pull_request are.".formatted(event));
    };
  }

  private static Push push(Payload payload) {
    List<Payload> commits = payload.list("/commits");
    String before = payload.required("/before");
    String after = payload.required("/after");
    boolean told = !Push.isNone(before) && payload.isNumber("/total_commits", commits.size());
    return new Push(
        payload.required("/repository/full_name"),
        payload.required("/ref"),
        before,
        after,
        payload
            .text("/head_commit/message")
            .or(() -> ListedFiles.message(commits, after))
            .orElse(""),
        told ? ListedFiles.of(commits, Integer.MAX_VALUE) : Optional.empty());
  }
}
