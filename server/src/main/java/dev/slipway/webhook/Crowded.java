package dev.slipway.webhook;

/** No attempt was made, for want of room here: nothing that the endpoint has to answer for. */
final class Crowded extends Exception {
  Crowded() {
    super("too many names are being looked up");
  }
}
