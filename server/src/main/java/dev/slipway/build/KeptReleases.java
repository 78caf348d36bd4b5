package dev.slipway.build;

import dev.slipway.release.BuildKey;
import java.util.List;
import java.util.Optional;

/** The releases of one project that can still be started. */
public interface KeptReleases {
  KeptReleases NONE = _ -> Optional.empty();

  /** One that has one of these keys. */
  Optional<BuiltRelease> find(List<BuildKey> keys);
}
