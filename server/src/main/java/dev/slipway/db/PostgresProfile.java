package dev.slipway.db;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an embedded cluster is for.
 *
 * @param settings of PostgreSQL, beyond those that every cluster of ours has
 * @param ports from which its port is taken; no two profiles share one, so that neither is in the
 *     way of another's start
 * @param outlivesServer whether it goes on when the server ends, however that happens. It then
 *     keeps its port for good, and writes its log to a file: a pipe would break with the server.
 */
record PostgresProfile(Map<String, String> settings, LoopbackPort ports, boolean outlivesServer) {
  /** Sockets are off since any account could open a file socket. No parameter shows a value. */
  private static final Map<String, String> COMMON =
      Map.ofEntries(
          Map.entry("listen_addresses", "127.0.0.1"),
          Map.entry("unix_socket_directories", ""),
          Map.entry("io_method", "sync"),
          Map.entry("jit", "off"),
          Map.entry("timezone", "UTC"),
          Map.entry("log_timezone", "UTC"),
          Map.entry("logging_collector", "off"),
          Map.entry("log_checkpoints", "off"),
          // Errors of statements reach whoever sent them; logged, they would show values.
          Map.entry("log_min_messages", "log"),
          Map.entry("log_min_error_statement", "panic"),
          Map.entry("log_error_verbosity", "terse"));

  /** Small: the store holds rows about deployments, not the deployments. */
  static final PostgresProfile STORE =
      new PostgresProfile(
          Map.of(
              "max_connections", "100",
              "shared_buffers", "32MB",
              "min_wal_size", "32MB",
              "max_wal_size", "256MB",
              "log_line_prefix", ""),
          new LoopbackPort(29_000, 31_999),
          false);

  /** The databases of applications: many connections, and nobody takes all of the disk by sorts. */
  static final PostgresProfile APPLICATIONS =
      new PostgresProfile(
          Map.of(
              "max_connections", "500",
              "superuser_reserved_connections", "10",
              "shared_buffers", "128MB",
              "min_wal_size", "64MB",
              "max_wal_size", "512MB",
              "temp_file_limit", "4GB",
              "log_autovacuum_min_duration", "-1",
              "log_line_prefix", "%m [%p] "),
          new LoopbackPort(32_000, 32_767),
          true);

  PostgresProfile {
    settings = Map.copyOf(settings);
  }

  /** All that differs from PostgreSQL's defaults. */
  Map<String, String> allSettings() {
    Map<String, String> all = new LinkedHashMap<>(COMMON);
    all.putAll(settings);
    return all;
  }
}
