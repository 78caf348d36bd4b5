package dev.slipway.build;

import dev.slipway.release.LayerLease;
import dev.slipway.release.Written;
import dev.slipway.sandbox.SandboxSpec;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The files of an application while it is built: its checkout, below it the dependencies, on top
 * what the steps write. One thread uses it; nothing runs in it while a method other than {@link
 * #files} is called.
 */
sealed interface WorkTree permits LayeredTree, CopiedTree {
  /** What a step sees and changes. */
  SandboxSpec.Files files();

  /** Where what the steps write is found: what is put there they see. */
  Path written();

  /**
   * Takes away what the steps wrote so far, if it is nothing but new files beside the checkout's:
   * then it can be laid below another checkout. Where they changed what the checkout has, nothing
   * happens.
   *
   * @param inputs files that they may have changed, relative to the root; such a change is dropped
   */
  Optional<Path> takeAdditions(Set<String> inputs);

  /** Lays dependencies below all; once. */
  void layOn(LayerLease dependencies);

  /** Whether the dependencies stay where they are and are only seen here. */
  boolean layered();

  /**
   * What became of it, the checkout included, which is used up by this.
   *
   * @return on top of what {@link #layOn} was given, if it is {@link #layered}; by itself otherwise
   */
  Written finish();
}
