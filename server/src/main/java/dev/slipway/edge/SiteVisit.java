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
import java.util.Optional;

/**
 * One request to a site: finds the file that answers it, in the release that serves or, for what a
 * page of an earlier release still loads, in those before ({@link EarlierFiles}). All on the event
 * loop of the request.
 */
final class SiteVisit {
  private static final String METHODS = "GET, HEAD, OPTIONS";
  private static final CharSequence FETCH_MODE = HttpHeaders.createOptimized("sec-fetch-mode");

  private final HttpServerRequest request;
  private final Route route;
  private final Site site;
  private final String uri;
  private final SiteIndexes indexes;
  private final SiteAnswer answer;

  /**
   * @param site that the route leads to
   */
  SiteVisit(EdgeParts parts, Incoming incoming, Route route, Site site) {
    this.request = incoming.request();
    this.route = route;
    this.site = site;
    this.uri = incoming.destination().uri();
    this.indexes = new SiteIndexes(parts.sites(), request);
    this.answer = new SiteAnswer(parts.sites(), request, route.preview());
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
      indexes.with(
          site, (_, index) -> answerFrom(index, path), () -> Pages.NO_FILES.answer(request));
    }
  }

  private void answerFrom(SiteIndex index, Optional<SitePath> path) {
    Found found = path.map(index::find).orElseGet(Found.Nothing::new);
    if (found instanceof Found.Nothing && path.isPresent()) {
      EarlierFiles.find(
          indexes,
          route,
          path.get(),
          file -> answer(index, path, file.<Found>map(Found.File::new).orElse(found)));
    } else {
      answer(index, path, found);
    }
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
}
