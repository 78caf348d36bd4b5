package dev.slipway.tool;

import java.util.List;

/** What this host has by itself. */
@FunctionalInterface
interface Host {
  /** All tools of this name, the one first that programs get by themselves. */
  List<ProvidedTool> all(String name) throws InterruptedException;
}
