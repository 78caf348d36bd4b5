package dev.slipway.config;

/**
 * @param allowPrivateTargets whether events may be sent to loopback and private networks
 */
public record WebhooksConfig(boolean allowPrivateTargets) {
  public static final WebhooksConfig DEFAULTS = new WebhooksConfig(false);

  static WebhooksConfig read(Section section) {
    boolean allow =
        section.value("allow_private_targets", DEFAULTS.allowPrivateTargets, Kinds.FLAG);
    section.end();
    return new WebhooksConfig(allow);
  }
}
