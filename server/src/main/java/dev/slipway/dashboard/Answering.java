package dev.slipway.dashboard;

import dev.slipway.api.Answers;
import dev.slipway.edge.Leftover;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;
import java.util.function.Function;

/** Writes replies. Nothing is loaded from elsewhere, framed, kept by caches, or run in a page. */
final class Answering {
  private static final String HTML = "text/html; charset=utf-8";

  /** No {@code unsafe-inline}: what an attacker gets into a page is text. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private final Renderer renderer;
  private final SessionCookie cookie;

  Answering(Renderer renderer, SessionCookie cookie) {
    this.renderer = renderer;
    this.cookie = cookie;
  }

  /** The last step of an answer, on the event loop. */
  @FunctionalInterface
  interface Ready {
    void write();
  }

  static void protect(HttpServerResponse response) {
    HEADERS.forEach(response::putHeader);
  }

  /**
   * Makes the answer; takes time, so not on an event loop.
   *
   * @param frame what stands around a page
   */
  Ready prepare(HttpServerRequest request, Reply reply, Function<Reply.Page, Frame> frame) {
    HttpServerResponse response = request.response();
    return switch (reply) {
      case Reply.Page page ->
          html(
              request,
              page.status(),
              renderer.page(page.template(), frame.apply(page), page.page()));
      case Reply.Fragment part ->
          html(
              request,
              200,
              renderer.page(
                  part.template(),
                  frame.apply(new Reply.Page(200, part.template(), "", Section.NONE, part.page())),
                  part.page()));
      case Reply.Elsewhere there -> () -> redirect(request, there.location());
      case Reply.Entered entered ->
          () -> {
            cookie.write(response, entered.started());
            redirect(request, entered.location());
          };
      case Reply.Left left ->
          () -> {
            cookie.remove(response);
            response.putHeader("Clear-Site-Data", "\"cache\"");
            redirect(request, left.location());
          };
      case Reply.Unchanged _ -> () -> response.setStatusCode(204).end();
      case Reply.Text text -> TextStream.send(request, text);
      case Reply.Looking looking ->
          () -> {
            cookie.write(response, looking.theme());
            redirect(request, looking.location());
          };
    };
  }

  /** A script's request follows a redirect by itself: the page is told to go there instead. */
  static void redirect(HttpServerRequest request, String location) {
    HttpServerResponse response = request.response();
    Leftover leftover = Leftover.of(request);
    leftover.announce();
    if (request.headers().contains("HX-Request")) {
      response.putHeader("HX-Redirect", location);
    } else {
      response.setStatusCode(303).putHeader(HttpHeaders.LOCATION, location);
    }
    response.end().onComplete(_ -> leftover.discard());
  }

  private static Ready html(HttpServerRequest request, int status, Buffer page) {
    Answers.Encoded encoded = Answers.encode(request, status, HTML, page);
    return () -> Answers.write(request, encoded);
  }
}
