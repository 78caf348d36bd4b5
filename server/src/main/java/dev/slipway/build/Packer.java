package dev.slipway.build;

import dev.slipway.core.AppFailure;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan;
import dev.slipway.release.LayerLease;
import dev.slipway.release.Release;
import dev.slipway.release.ReleaseStore;
import dev.slipway.release.Written;
import dev.slipway.runlog.RunLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Makes a release of what a build has left: all of it for a program, its site alone for a site. */
final class Packer {
  /** A visitor's seconds are worth some of the build's, but not many. */
  private static final Duration COMPRESSING = Duration.ofSeconds(10);

  private final ReleaseStore releases;

  Packer(ReleaseStore releases) {
    this.releases = releases;
  }

  /**
   * @param serving relative to the release
   */
  record Packed(Release release, Serving serving) {}

  /**
   * @param app the application as its build left it; nothing runs there any more
   * @param below its dependencies, where they lie apart: no part of a site
   * @throws AppFailure {@code BUILD_FAILED} where the build wrote no site
   */
  Packed pack(ReleaseId id, Written app, Optional<LayerLease> below, BuildPlan plan, RunLog log) {
    return switch (plan.serving()) {
      case Serving.Program program -> new Packed(releases.pack(id, app, below), program);
      case Serving.Site site -> packSite(id, app.tree(), plan.rootDirectory(), site, log);
    };
  }

  private Packed packSite(ReleaseId id, Path app, String root, Serving.Site site, RunLog log) {
    Release release = releases.pack(id, SiteFolder.of(app, root, site, log));
    if (release.files() == 0) {
      throw SiteFolder.empty(site.directory());
    }
    releases.compress(id, "", COMPRESSING);
    releases.dropTree(id);
    return new Packed(release, new Serving.Site("", site.fallback(), site.cleanUrls()));
  }
}
