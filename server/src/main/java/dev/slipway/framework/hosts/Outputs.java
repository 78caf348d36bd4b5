package dev.slipway.framework.hosts;

import java.util.Set;

/** Directories that other hosts are told of, and that hold no site to be served as it is. */
final class Outputs {
  private static final Set<String> OF_NEXT = Set.of(".next", ".vercel/output", ".netlify");

  private Outputs() {}

  static boolean isOfNext(String directory) {
    return OF_NEXT.contains(directory);
  }
}
