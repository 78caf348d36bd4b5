package dev.slipway.release;

import java.nio.file.Path;
import java.util.List;

/**
 * A layer that its holder builds on: while this is open nobody deletes it.
 *
 * @param tree its files, not to be written to
 * @param warnings what the user should be told by each build that uses it
 */
public record LayerLease(LayerStore store, LayerId id, Path tree, List<String> warnings)
    implements AutoCloseable {
  public LayerLease {
    warnings = List.copyOf(warnings);
  }

  /** Makes it durable where that has not happened yet; blocks then. */
  @Override
  public void close() {
    store.giveBack(this);
  }
}
