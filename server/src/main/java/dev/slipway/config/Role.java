package dev.slipway.config;

/** What one process of the server does; all of it by default. */
public enum Role {
  /** REST and dashboard. */
  API,
  /** Durable jobs. */
  WORKER,
  /** The traffic of the applications. */
  EDGE
}
