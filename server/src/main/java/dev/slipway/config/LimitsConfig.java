package dev.slipway.config;

/**
 * Sizes in bytes.
 *
 * @param jsonBytes body of a request
 * @param uploadBytes uploaded archive
 * @param logBytes log of a migration or deployment; of a longer one both ends are kept
 * @param diskFreeMin free space below which no build starts
 */
public record LimitsConfig(long jsonBytes, long uploadBytes, long logBytes, long diskFreeMin) {
  public static final LimitsConfig DEFAULTS =
      new LimitsConfig(1L << 20, 500L << 20, 32L << 20, 2L << 30);

  static LimitsConfig read(Section section) {
    LimitsConfig config =
        new LimitsConfig(
            section.value("json_bytes", DEFAULTS.jsonBytes, Kinds.SIZE),
            section.value("upload_bytes", DEFAULTS.uploadBytes, Kinds.SIZE),
            section.value("log_bytes", DEFAULTS.logBytes, Kinds.SIZE),
            section.value("disk_free_min", DEFAULTS.diskFreeMin, Kinds.SIZE));
    section.end();
    return config;
  }
}
