package dev.slipway.hook;

import dev.slipway.hook.PullRequest.Action;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** GitLab, with its secret token, or its signing token, which goes by Standard Webhooks. */
final class GitlabSender implements Sender {
  private static final String TOKEN = "X-Gitlab-Token";
  private static final String SIGNATURE = "webhook-signature";
  private static final String ID = "webhook-id";
  private static final String TIMESTAMP = "webhook-timestamp";
  private static final String VERSION = "v1,";

  /** Clocks differ; what is older was kept by somebody. */
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  @Override
  public boolean sent(HookRequest request) {
    return request.header("X-Gitlab-Event").isPresent();
  }

  @Override
  public String proof() {
    return "X-Gitlab-Token or webhook-signature";
  }

  @Override
  public boolean isSigned(HookRequest request) {
    return request.first(SIGNATURE, TOKEN).isPresent();
  }

  /** Where it is signed the token does not count: it goes with every message, and may leak. */
  @Override
  public boolean isProven(HookRequest request, HookSecret secret, Instant now) {
    return request
        .header(SIGNATURE)
        .map(given -> isInTime(request, now) && matches(given, signature(request, secret)))
        .orElseGet(() -> request.header(TOKEN).filter(secret::is).isPresent());
  }

  private static byte[] signature(HookRequest request, HookSecret secret) {
    String head =
        "%s.%s.".formatted(request.header(ID).orElse(""), request.header(TIMESTAMP).orElse(""));
    return secret.signStandard(head.getBytes(StandardCharsets.UTF_8), request.body());
  }

  private static boolean isInTime(HookRequest request, Instant now) {
    return request
        .header(TIMESTAMP)
        .filter(text -> text.matches("[0-9]{1,12}"))
        .map(text -> Instant.ofEpochSecond(Long.parseLong(text)))
        .filter(at -> Duration.between(at, now).abs().compareTo(TOLERANCE) <= 0)
        .isPresent();
  }

  /** Several, where the key is being changed. */
  private static boolean matches(String given, byte[] signature) {
    byte[] expected =
        (VERSION + Base64.getEncoder().encodeToString(signature)).getBytes(StandardCharsets.UTF_8);
    return Arrays.stream(given.split(" ", -1))
        .anyMatch(it -> MessageDigest.isEqual(it.getBytes(StandardCharsets.UTF_8), expected));
  }

  /** The id is signed too: the same body under another id is another message. */
  @Override
  public byte[] digest(HookRequest request) {
    return request
        .header(SIGNATURE)
        .flatMap(_ -> request.header(ID))
        .map(id -> Sender.sha256((id + ".").getBytes(StandardCharsets.UTF_8), request.body()))
        .orElseGet(() -> Sender.sha256(request.body()));
  }

  @Override
  public String event(HookRequest request) {
    return request.header("X-Gitlab-Event").orElse("");
  }

  @Override
  public Optional<String> deliveryId(HookRequest request) {
    return request.first(ID, "Idempotency-Key", "X-Gitlab-Event-UUID");
  }

  @Override
  public Message read(String event, Payload payload) {
    return switch (event) {
      case "Push Hook", "Tag Push Hook" -> new Message.Pushed(push(payload));
      case "Merge Request Hook" -> mergeRequest(payload);
      default ->
          new Message.Other(
              "The event %s is none that deploys; push and merge request events are."
                  .formatted(event));
    };
  }

  private static Push push(Payload payload) {
    List<Payload> commits = payload.list("/commits");
    String before = payload.required("/before");
    String after = payload.required("/after");
    // A file that was moved is told of as added at its new place, and not as removed at the old
    // one.
    boolean told =
        !Push.isNone(before)
            && payload.isNumber("/total_commits_count", commits.size())
            && commits.stream()
                .allMatch(commit -> commit.texts("/added").filter(List::isEmpty).isPresent());
    return new Push(
        payload.required("/project/path_with_namespace"),
        payload.required("/ref"),
        before,
        after,
        ListedFiles.message(commits, after).orElse(""),
        told ? ListedFiles.of(commits, Integer.MAX_VALUE) : Optional.empty());
  }

  private static Message mergeRequest(Payload payload) {
    String action = payload.text("/object_attributes/action").orElse("");
    return switch (action) {
      case "open", "reopen" -> read(payload, Action.OPENED);
      case "close", "merge" -> read(payload, Action.CLOSED);
      case "update" ->
          payload.has("/object_attributes/oldrev") || payload.has("/changes/target_branch")
              ? read(payload, Action.UPDATED)
              : PullRequestFields.unchanged("edited");
      default -> PullRequestFields.unchanged(action.isEmpty() ? "looked at" : action);
    };
  }

  private static Message read(Payload payload, Action action) {
    UnaryOperator<String> read = PullRequestFields.of(payload, action);
    String title = read.apply("/object_attributes/title");
    return PullRequestFields.read(
        new PullRequestFields.Parts(
            payload.required("/object_attributes/target/path_with_namespace"),
            payload.requiredNumber("/object_attributes/iid"),
            title,
            payload.text("/object_attributes/source/path_with_namespace"),
            read.apply("/object_attributes/source_branch"),
            read.apply("/object_attributes/last_commit/id"),
            read.apply("/object_attributes/target_branch"),
            payload.text("/user/username").orElse(""), // of the author it tells the number alone
            read.apply("/object_attributes/url"),
            List.of(title, payload.text("/object_attributes/last_commit/message").orElse(""))),
        action);
  }
}
