package dev.slipway.source.git;

import java.util.List;
import java.util.Optional;

/**
 * What of a tree's files is to be had elsewhere.
 *
 * @param submodules empty directories so far
 * @param addresses the text of {@code .gitmodules}, which says where submodules come from
 * @param pointers files that stand for others in a store of large files
 */
record WrittenTree(List<Submodule> submodules, Optional<String> addresses, List<Pointer> pointers) {
  /**
   * @param path below the root of this tree, as {@link dev.slipway.core.RawPath} writes it
   * @param sha the commit that belongs there
   */
  record Submodule(String path, String sha) {}

  /**
   * @param path below the root of this tree, as {@link dev.slipway.core.RawPath} writes it
   */
  record Pointer(String path, LfsPointer content) {}
}
