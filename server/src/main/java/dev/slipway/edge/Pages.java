package dev.slipway.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/**
 * What the edge itself answers to visitors, where no app does. One sentence: a small page for
 * browsers, a line of text for the rest. Names nothing of the inside.
 */
enum Pages {
  BAD_REQUEST(400, "Bad request", "This request names no valid host."),
  NOBODY(404, "Not found", "Nothing is served under this name."),
  NO_SUCH_APP(404, "No app here", "There is no app at this address. Check its spelling."),
  NO_SUCH_FILE(404, "Not found", "There is nothing at this address. Check its spelling."),
  READ_ONLY(405, "Not possible", "What is at this address can only be read."),
  FAULT(500, "Something went wrong", "This request could not be passed on. Try again later."),
  NOT_STARTED(502, "Not available", "This app could not be started."),
  CRASHED(
      502,
      "Not available",
      "This app crashed several times and is not running. Its owner finds the reason in its log."),
  NO_ANSWER(502, "No answer", "This app broke off before it answered. Try again in a moment."),
  STARTING(503, "Just a moment", "This app is not running at the moment. Try again soon."),
  NO_FILES(503, "Just a moment", "This site cannot be read at the moment. Try again soon."),
  RESTARTING(503, "Just a moment", "This app was stopped before it answered. Try again."),
  NO_CONTROL(
      503,
      "Not available",
      "The API and the dashboard do not answer at the moment. Applications are served; try again soon.") {
    @Override
    String type() {
      return "application/json";
    }

    // As the API says it itself.
    @Override
    String text() {
      return """
      {"error":{"code":"unavailable","message":"%s"}}
      """
          .formatted(super.text().strip());
    }
  };

  private static final String RETRY_AFTER_SECONDS = "5";

  private final int status;
  private final String title;
  private final String sentence;

  Pages(int status, String title, String sentence) {
    this.status = status;
    this.title = title;
    this.sentence = sentence;
  }

  /** Answers with this page. What is still to come of the request's body is thrown away. */
  void answer(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    Exchange.of(request).because(this);
    String accept = Optional.ofNullable(request.getHeader(HttpHeaders.ACCEPT)).orElse("");
    boolean html = accept.contains("text/html");
    String body = html ? html() : text();
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, html ? "text/html; charset=utf-8" : type())
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
    if (status == 503) {
      response.putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    Leftover leftover = Leftover.of(request);
    leftover.announce();
    var written = request.method().equals(HttpMethod.HEAD) ? response.end() : response.end(body);
    written.onComplete(_ -> leftover.discard());
  }

  String type() {
    return "text/plain; charset=utf-8";
  }

  String text() {
    return sentence + "\n";
  }

  private String html() {
    return """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>%1$s</title>
    <style>
    body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem; color-scheme: light dark }
    </style>
    <h1>%1$s</h1>
    <p>%2$s</p>
    """
        .formatted(title, sentence);
  }
}
