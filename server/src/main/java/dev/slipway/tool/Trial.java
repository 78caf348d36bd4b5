package dev.slipway.tool;

/** Finds out whether a tool that was fetched is one. */
@FunctionalInterface
interface Trial {
  boolean runs(String name, Fetched.Complete tool) throws InterruptedException;
}
