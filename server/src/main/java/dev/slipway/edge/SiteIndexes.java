package dev.slipway.edge;

import dev.slipway.site.Site;
import dev.slipway.site.SiteIndex;
import dev.slipway.site.Sites;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The indexes of sites, for one request and on its event loop. */
final class SiteIndexes {
  private static final Logger log = LoggerFactory.getLogger(SiteIndexes.class);

  private final Sites sites;
  private final HttpServerRequest request;
  private final ContextInternal context;

  SiteIndexes(Sites sites, HttpServerRequest request) {
    this.sites = sites;
    this.request = request;
    this.context = ((HttpServerRequestInternal) request).context();
  }

  /**
   * Goes on when the index is there, which it is but at the first request; not at all where the
   * client is gone by then.
   *
   * @param unreadable what to do where it cannot be read
   */
  void with(Site site, BiConsumer<Site, SiteIndex> next, Runnable unreadable) {
    CompletableFuture<SiteIndex> index = sites.index(site);
    if (index.isDone() && !index.isCompletedExceptionally()) {
      next.accept(site, index.join());
      return;
    }
    var _ =
        index.whenComplete((read, failure) ->
            context.runOnContext(
                Faults.guarded(
                    request,
                    _ -> {
                      if (request.response().closed()) {
                        return;
                      }
                      if (failure == null) {
                        next.accept(site, read);
                      } else {
                        log.error("the files of {} cannot be read", site.release(), failure);
                        unreadable.run();
                      }
                    })));
  }
}
