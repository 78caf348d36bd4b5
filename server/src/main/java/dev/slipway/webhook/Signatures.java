package dev.slipway.webhook;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookSigningException;
import dev.slipway.core.EventId;
import dev.slipway.core.Secret;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Secrets of endpoints, and what is signed with them. */
final class Signatures {
  private static final String PREFIX = "whsec_";
  private static final int KEY_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Signatures() {}

  static Secret newSecret() {
    byte[] key = new byte[KEY_BYTES];
    RANDOM.nextBytes(key);
    return new Secret(PREFIX + Base64.getEncoder().encodeToString(key));
  }

  /**
   * The value of the header {@code webhook-signature}.
   *
   * @param secrets one signature for each
   * @param at of the attempt; whole seconds count
   */
  static String of(List<Secret> secrets, EventId event, Instant at, String body) {
    List<String> signatures = new ArrayList<>();
    for (Secret secret : secrets) {
      try {
        signatures.add(new Webhook(secret.reveal()).sign(event.value(), at.getEpochSecond(), body));
      } catch (EmptyWebhookSecretException | WebhookSigningException e) {
        throw new IllegalStateException("a secret of a webhook cannot sign", e);
      }
    }
    return String.join(" ", signatures);
  }
}
