package dev.slipway.tool;

/** Where other tools come from that uv fetches. */
@FunctionalInterface
interface UvCommand {
  ProvidedTool provided() throws InterruptedException;
}
