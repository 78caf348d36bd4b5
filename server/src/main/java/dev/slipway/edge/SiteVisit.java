package dev.slipway.edge;

import dev.slipway.release.ReleaseFiles.Content;
import dev.slipway.site.FileNames;
import dev.slipway.site.Site;
import dev.slipway.site.SiteIndex;
import dev.slipway.site.SiteIndex.Found;
import dev.slipway.site.SitePath;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request to a site: finds the file that answers it, in the release that serves or, for what a
 * page of an earlier release still loads, in those before. All on the event loop of the request.
 */
final class SiteVisit {
  private static final Logger log = LoggerFactory.getLogger(SiteVisit.class);
  private static final String METHODS = "GET, HEAD, OPTIONS";
  private static final CharSequence FETCH_MODE = HttpHeaders.createOptimized("sec-fetch-mode");

  private final EdgeParts parts;
  private final HttpServerRequest request;
  private final Route route;
  private final String uri;
  private final ContextInternal context;
  private final SiteAnswer answer;

  /**
   * @param route one to a site
   */
  SiteVisit(EdgeParts parts, Incoming incoming, Route route) {
    this.parts = parts;
    this.request = incoming.request();
    this.route = route;
    this.uri = incoming.destination().uri();
    this.context = ((HttpServerRequestInternal) request).context();
    this.answer = new SiteAnswer(request, route.preview());
  }

  void start() {
    HttpMethod method = request.method();
    if (method.equals(HttpMethod.OPTIONS)) {
      request.response().putHeader(HttpHeaders.ALLOW, METHODS);
      answer.empty(HttpResponseStatus.NO_CONTENT);
    } else if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
      request.response().putHeader(HttpHeaders.ALLOW, METHODS);
      Pages.READ_ONLY.answer(request);
    } else {
      Optional<SitePath> path = SitePath.of(uri);
      with(route.sites().getFirst(), index -> answerFrom(index, path));
    }
  }

  private void answerFrom(SiteIndex index, Optional<SitePath> path) {
    Found found = path.map(index::find).orElseGet(Found.Nothing::new);
    if (found instanceof Found.Nothing && path.isPresent() && isOfEarlierPage(path.get())) {
      lookIn(route.sites().subList(1, route.sites().size()), index, path.get());
    } else {
      answer(index, path, found);
    }
  }

  private boolean isOfEarlierPage(SitePath path) {
    return route.sites().size() > 1 && !path.slash() && FileNames.mayBeHashed(path.value());
  }

  private void lookIn(List<Site> earlier, SiteIndex present, SitePath path) {
    if (earlier.isEmpty()) {
      answer(present, Optional.of(path), new Found.Nothing());
      return;
    }
    with(
        earlier.getFirst(),
        index -> {
          if (index.find(path) instanceof Found.File found) {
            answer(present, Optional.of(path), found);
          } else {
            lookIn(earlier.subList(1, earlier.size()), present, path);
          }
        });
  }

  private void answer(SiteIndex index, Optional<SitePath> path, Found found) {
    switch (found) {
      case Found.File(Content content) -> answer.found(content);
      case Found.Elsewhere(String place) -> answer.elsewhere(place + query());
      case Found.Nothing() -> {
        Optional<Content> page = path.filter(this::isNavigation).flatMap(_ -> index.fallback());
        page.ifPresentOrElse(
            answer::found,
            () ->
                index
                    .notFound()
                    .ifPresentOrElse(answer::notFound, () -> Pages.NO_SUCH_FILE.answer(request)));
      }
    }
  }

  /** Whether a page is asked for, to be shown: a script must not be given one instead of itself. */
  private boolean isNavigation(SitePath path) {
    String mode = request.getHeader(FETCH_MODE);
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    return !FileNames.isPartOfPage(path.value())
        && (mode == null || mode.equals("navigate"))
        && (accept == null || accept.contains("text/html") || accept.startsWith("*/*"));
  }

  private String query() {
    int begin = uri.indexOf('?');
    return begin < 0 ? "" : uri.substring(begin);
  }

  /** Goes on when the index is there, which it is but at the first request. */
  private void with(Site site, Consumer<SiteIndex> next) {
    CompletableFuture<SiteIndex> index = parts.sites().index(site);
    if (index.isDone() && !index.isCompletedExceptionally()) {
      next.accept(index.join());
      return;
    }
    var _ =
        index.whenComplete((read, failure) ->
            context.runOnContext(_ -> {
              if (request.response().closed()) {
                return;
              }
              if (failure == null) {
                next.accept(read);
              } else {
                log.error("the files of {} cannot be read", site.release(), failure);
                Pages.NO_FILES.answer(request);
              }
            }));
  }
}
