package dev.slipway.config;

/** What runs the applications of a region. */
public enum RuntimeKind {
  PROCESS,
  DOCKER,
  KUBERNETES
}
