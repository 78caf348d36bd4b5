package dev.slipway.hook;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** GitHub, and its servers for enterprises. */
final class GithubSender implements Sender {
  /** More commits, and more files of a commit, are not listed in a message. */
  private static final int MAX_COMMITS = 2048;

  private static final int MAX_FILES = 3000;
  private static final String SIGNATURE = "X-Hub-Signature-256";
  private static final String PREFIX = "sha256=";

  @Override
  public boolean sent(HookRequest request) {
    return request.header("X-GitHub-Event").isPresent();
  }

  @Override
  public String proof() {
    return SIGNATURE;
  }

  @Override
  public boolean isSigned(HookRequest request) {
    return request.header(SIGNATURE).isPresent();
  }

  @Override
  public boolean isProven(HookRequest request, HookSecret secret, Instant now) {
    return isProven(request, secret);
  }

  /** By a header that others send too. */
  static boolean isProven(HookRequest request, HookSecret secret) {
    return request
        .header(SIGNATURE)
        .filter(given -> given.startsWith(PREFIX))
        .filter(
            given -> Sender.matches(given.substring(PREFIX.length()), secret.sign(request.body())))
        .isPresent();
  }

  @Override
  public String event(HookRequest request) {
    return request.header("X-GitHub-Event").orElse("");
  }

  @Override
  public Optional<String> deliveryId(HookRequest request) {
    return request.header("X-GitHub-Delivery");
  }

  @Override
  public Message read(String event, Payload payload) {
    return switch (event) {
      case "ping" -> new Message.Ping();
      case "push" -> new Message.Pushed(push(payload));
      case "pull_request" -> PullRequestFields.read(payload, "synchronize", "/changes/base");
      default ->
          new Message.Other(
              "The event %s is none that deploys; push and pull_request are.".formatted(event));
    };
  }

  private static Push push(Payload payload) {
    List<Payload> commits = payload.list("/commits");
    String before = payload.required("/before");
    boolean told =
        !Push.isNone(before)
            && !payload.flag("/created")
            && !payload.flag("/forced")
            && commits.size() < MAX_COMMITS;
    return new Push(
        payload.required("/repository/full_name"),
        payload.required("/ref"),
        before,
        payload.required("/after"),
        payload.text("/head_commit/message").orElse(""),
        told ? ListedFiles.of(commits, MAX_FILES) : Optional.empty());
  }
}
