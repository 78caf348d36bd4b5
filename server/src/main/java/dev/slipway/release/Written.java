package dev.slipway.release;

import java.nio.file.Path;
import java.util.Set;

/**
 * What programs changed of a tree that they saw through an overlay.
 *
 * @param tree what they wrote, nothing of the overlay's own marks in it
 * @param removed where nothing of the tree below is seen any more: paths in the text form of {@link
 *     dev.slipway.core.RawPath}, each with all that is below it
 */
public record Written(Path tree, Set<String> removed) {
  public Written {
    removed = Set.copyOf(removed);
  }
}
