package dev.slipway.config;

import java.util.Optional;

/**
 * Sizes in bytes, and counts.
 *
 * @param jsonBytes body of a request
 * @param uploadBytes uploaded archive
 * @param unusedUploadsBytes uploaded archives of one account that nothing is deployed from
 * @param logBytes log of a migration or deployment; of a longer one both ends are kept
 * @param diskFreeMin free space below which no build starts
 * @param connectionsPerAddress connections that one address may hold
 * @param connections all connections together; absent: as many as the files that may be open allow
 * @param domainsPerAccount custom domains of all its projects
 */
public record LimitsConfig(
    long jsonBytes,
    long uploadBytes,
    long unusedUploadsBytes,
    long logBytes,
    long diskFreeMin,
    int connectionsPerAddress,
    Optional<Integer> connections,
    int domainsPerAccount) {
  private static final int UNUSED_UPLOADS = 4;

  public static final LimitsConfig DEFAULTS =
      new LimitsConfig(
          1L << 20,
          500L << 20,
          UNUSED_UPLOADS * (500L << 20),
          32L << 20,
          2L << 30,
          1_000,
          Optional.empty(),
          100);

  static LimitsConfig read(Section section) {
    long uploadBytes = section.value("upload_bytes", DEFAULTS.uploadBytes, Kinds.SIZE);
    long unused = Math.min(uploadBytes, Long.MAX_VALUE / UNUSED_UPLOADS) * UNUSED_UPLOADS;
    LimitsConfig config =
        new LimitsConfig(
            section.value("json_bytes", DEFAULTS.jsonBytes, Kinds.SIZE),
            uploadBytes,
            section.value("unused_uploads_bytes", unused, Kinds.SIZE),
            section.value("log_bytes", DEFAULTS.logBytes, Kinds.SIZE),
            section.value("disk_free_min", DEFAULTS.diskFreeMin, Kinds.SIZE),
            section.value("connections_per_address", DEFAULTS.connectionsPerAddress, Kinds.COUNT),
            section.value("connections", Kinds.COUNT),
            section.value("domains_per_account", DEFAULTS.domainsPerAccount, Kinds.COUNT));
    if (config.unusedUploadsBytes < uploadBytes) {
      section.problem(
          "unused_uploads_bytes",
          "must be limits.upload_bytes or more, or it refuses what that allows");
    }
    section.end();
    return config;
  }
}
