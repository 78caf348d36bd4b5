package dev.slipway.instance;

/** What is known of an instance. Its row goes when nothing of it is left. */
public enum InstanceState {
  /** Leased, perhaps started; it has not answered yet and takes no requests. */
  STARTING,
  /** It answered its health check and takes requests. */
  HEALTHY,
  /** It takes no new requests and is being ended. */
  STOPPING
}
