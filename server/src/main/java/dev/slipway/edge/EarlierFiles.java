package dev.slipway.edge;

import dev.slipway.edge.Route.Earlier;
import dev.slipway.release.ReleaseFiles.Content;
import dev.slipway.site.FileNames;
import dev.slipway.site.SiteIndex.Found;
import dev.slipway.site.SitePath;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Looks for a file that what serves now does not have in the releases that served before: a page
 * that was loaded from one of them still asks for it. Only names that may hold a hash are looked
 * for, so that nobody gets old content for new, and never a page.
 */
final class EarlierFiles {
  private final SiteIndexes indexes;
  private final SitePath path;

  private EarlierFiles(SiteIndexes indexes, SitePath path) {
    this.indexes = indexes;
    this.path = path;
  }

  /**
   * Calls {@code next} with the file, or without where there is none; at once where the indexes are
   * known and nothing needs to be read, else later on the event loop of the request.
   */
  static void find(
      SiteIndexes indexes, Route route, SitePath path, Consumer<Optional<Content>> next) {
    if (route.earlier().isEmpty() || path.slash() || !FileNames.mayBeHashed(path.value())) {
      next.accept(Optional.empty());
      return;
    }
    Instant now = Instant.now();
    new EarlierFiles(indexes, path)
        .lookIn(route.earlier().stream().filter(it -> now.isBefore(it.until())).toList(), next);
  }

  private void lookIn(List<Earlier> releases, Consumer<Optional<Content>> next) {
    if (releases.isEmpty()) {
      next.accept(Optional.empty());
      return;
    }
    List<Earlier> others = releases.subList(1, releases.size());
    indexes.with(
        releases.getFirst().files(),
        (site, index) -> {
          if (index.find(site.within(path)) instanceof Found.File(Content file)
              && !file.path().endsWith(".html")) {
            next.accept(Optional.of(file));
          } else {
            lookIn(others, next);
          }
        },
        () -> lookIn(others, next));
  }
}
