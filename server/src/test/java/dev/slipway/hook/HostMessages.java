package dev.slipway.hook;

import dev.slipway.core.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Messages as git hosts send them. Signed here in a way of its own, not in that of the code. */
public final class HostMessages {
  private HostMessages() {}

  /** The body of a message, from the folder {@code hooks}. */
  public static byte[] body(String file) {
    try (InputStream in = HostMessages.class.getResourceAsStream("/hooks/" + file + ".json")) {
      return Objects.requireNonNull(in, file).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static HookRequest github(String event, byte[] body, Secret secret) {
    return request(body)
        .with("X-GitHub-Event", event)
        .with("X-GitHub-Delivery", UUID.randomUUID().toString())
        .with("X-GitHub-Hook-ID", "501900")
        .with("User-Agent", "GitHub-Hookshot/044aadd")
        .with("X-Hub-Signature-256", "sha256=" + hex(secret.reveal(), body))
        .message();
  }

  /** As GitHub's content type {@code application/x-www-form-urlencoded}. */
  public static HookRequest githubForm(String event, byte[] json, Secret secret) {
    String encoded =
        URLEncoder.encode(new String(json, StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    byte[] body = ("payload=" + encoded).getBytes(StandardCharsets.UTF_8);
    return with(github(event, body, secret), "Content-Type", "application/x-www-form-urlencoded");
  }

  public static HookRequest gitlab(String event, byte[] body, Secret secret) {
    return unsignedGitlab(event, body).with("X-Gitlab-Token", secret.reveal()).message();
  }

  /** With a signing token, and a secret token that is wrong. */
  public static HookRequest gitlabSigned(
      String event, byte[] body, Secret secret, String id, Instant at) {
    byte[] key = Base64.getDecoder().decode(secret.reveal().substring("whsec_".length()));
    String head = id + "." + at.getEpochSecond() + ".";
    byte[] signed =
        mac(
            key,
            (head + new String(body, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8));
    return unsignedGitlab(event, body)
        .with("Idempotency-Key", id)
        .with("X-Gitlab-Token", "another")
        .with("webhook-id", id)
        .with("webhook-timestamp", "" + at.getEpochSecond())
        .with("webhook-signature", "v1," + Base64.getEncoder().encodeToString(signed))
        .message();
  }

  private static Draft unsignedGitlab(String event, byte[] body) {
    return request(body)
        .with("X-Gitlab-Event", event)
        .with("X-Gitlab-Instance", "https://gitlab.example.org")
        .with("X-Gitlab-Webhook-UUID", "0f3d40a8-4b02-4ff8-bd4b-5d1e1f3ad6b5")
        .with("X-Gitlab-Event-UUID", UUID.randomUUID().toString())
        .with("Idempotency-Key", UUID.randomUUID().toString());
  }

  public static HookRequest gitea(String event, byte[] body, Secret secret) {
    String id = UUID.randomUUID().toString();
    String signature = hex(secret.reveal(), body);
    return request(body)
        .with("X-Gitea-Delivery", id)
        .with("X-Gitea-Event", event)
        .with("X-Gitea-Event-Type", event)
        .with("X-Gitea-Signature", signature)
        .with("X-Gogs-Delivery", id)
        .with("X-Gogs-Event", event)
        .with("X-Gogs-Event-Type", event)
        .with("X-Gogs-Signature", signature)
        .with("X-GitHub-Delivery", id)
        .with("X-GitHub-Event", event)
        .with("X-GitHub-Event-Type", event)
        .with("X-Hub-Signature-256", "sha256=" + signature)
        .message();
  }

  public static HookRequest forgejo(String event, byte[] body, Secret secret) {
    HookRequest gitea = gitea(event, body, secret);
    return with(
        with(
            with(gitea, "X-Forgejo-Event", event),
            "X-Forgejo-Signature",
            gitea.header("X-Gitea-Signature").orElseThrow()),
        "X-Forgejo-Delivery",
        gitea.header("X-Gitea-Delivery").orElseThrow());
  }

  /** The same message with another header. */
  public static HookRequest with(HookRequest message, String name, String value) {
    Map<String, String> headers = new HashMap<>(message.headers());
    headers.put(name.toLowerCase(Locale.ROOT), value);
    return new HookRequest(headers, message.body());
  }

  public static HookRequest without(HookRequest message, String... names) {
    Map<String, String> headers = new HashMap<>(message.headers());
    for (String name : names) {
      headers.remove(name.toLowerCase(Locale.ROOT));
    }
    return new HookRequest(headers, message.body());
  }

  private record Draft(HookRequest message) {
    Draft with(String name, String value) {
      return new Draft(HostMessages.with(message, name, value));
    }
  }

  private static Draft request(byte[] body) {
    return new Draft(new HookRequest(Map.of("content-type", "application/json"), body));
  }

  private static String hex(String key, byte[] message) {
    return HexFormat.of().formatHex(mac(key.getBytes(StandardCharsets.UTF_8), message));
  }

  private static byte[] mac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
