package dev.slipway.config;

import java.time.Duration;

/**
 * How applications are reached.
 *
 * @param domain an application answers at {@code <label>.<domain>}
 * @param drain how long a replaced instance may finish its requests
 * @param startTimeout how long a program has from its start to its first healthy answer
 * @param maxInstances of one project
 * @param previewsAwake how many previews of one project run at once
 * @param previewIdle how long a preview runs after its last request
 */
public record AppsConfig(
    String domain,
    Duration drain,
    Duration startTimeout,
    int maxInstances,
    int previewsAwake,
    Duration previewIdle) {
  public static final AppsConfig DEFAULTS =
      new AppsConfig(
          "localhost",
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          10,
          3,
          Duration.ofMinutes(10));

  static AppsConfig read(Section section) {
    AppsConfig config =
        new AppsConfig(
            section.value("domain", DEFAULTS.domain, Kinds.HOST_NAME),
            section.value("drain", DEFAULTS.drain, Kinds.DURATION),
            section.value("start_timeout", DEFAULTS.startTimeout, Kinds.DURATION),
            section.value("max_instances", DEFAULTS.maxInstances, Kinds.INSTANCES),
            section.value("previews_awake", DEFAULTS.previewsAwake, Kinds.COUNT),
            section.value("preview_idle", DEFAULTS.previewIdle, Kinds.DURATION));
    section.end();
    return config;
  }
}
