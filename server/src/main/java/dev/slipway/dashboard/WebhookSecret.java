package dev.slipway.dashboard;

/**
 * What a receiver checks signatures with; shown once.
 *
 * @param title what was done
 * @param text tells what to do with it now
 */
public record WebhookSecret(String title, String text, String secret) {
  private static final String CHECK =
      "import { Webhook } from \"standardwebhooks\";\nnew Webhook(process.env.WEBHOOK_SECRET).verify(body, headers); // throws where it is not from here";

  static WebhookSecret made(String secret) {
    return new WebhookSecret(
        "The webhook is made", "Copy its secret now. It is not shown again.", secret);
  }

  static WebhookSecret rotated(String secret) {
    return new WebhookSecret(
        "The webhook has a new secret",
        "Copy it now. It is not shown again. For 24 hours each request is signed with the earlier one too.",
        secret);
  }

  /** How a receiver checks what it gets. */
  public static String check() {
    return CHECK;
  }
}
