package dev.slipway.edge;

import dev.slipway.edge.LiveRoutes.Entered;
import dev.slipway.release.ReleaseFiles.Content;
import dev.slipway.site.SitePath;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, to and from one instance, as they come: nothing is kept in memory but
 * what the slower side has not taken yet. Holds the claim on the instance until the answer has been
 * written in full, or a connection has died. All on the event loop of the request.
 */
final class Forwarding {
  static final CharSequence ROBOTS = HttpHeaders.createOptimized("x-robots-tag");
  static final CharSequence NO_INDEX = HttpHeaders.createOptimized("noindex");
  private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("x-request-id");
  private static final CharSequence TRAILER = HttpHeaders.createOptimized("trailer");
  private static final int FIRST_FINAL_STATUS = 200;
  private static final int LAST_STATUS = 599;

  private final EdgeParts parts;
  private final Visit visit;
  private final Incoming incoming;
  private final HttpServerRequest request;
  private final HttpServerResponse answer;
  private final Route route;
  private final Target target;
  private final Claim claim;

  private @Nullable HttpClientRequest upstream;
  private @Nullable NetSocket tunnel;
  private boolean sent;
  private boolean begun;
  private boolean continued;
  private boolean over;

  Forwarding(EdgeParts parts, Visit visit, Incoming incoming, Route route, Entered entered) {
    this.parts = parts;
    this.visit = visit;
    this.incoming = incoming;
    this.request = incoming.request();
    this.answer = request.response();
    this.route = route;
    this.target = entered.target();
    this.claim = entered.claim();
  }

  void start() {
    parts
        .client()
        .request(
            new RequestOptions()
                .setServer(target.address())
                .setHost(target.host())
                .setPort(target.port())
                .setMethod(request.method())
                .setURI(incoming.destination().uri()))
        .onComplete(visit.guarded(this::send), _ -> refused());
  }

  private void refused() {
    if (release()) {
      visit.refused(target);
    }
  }

  private void send(HttpClientRequest connected) {
    connected.exceptionHandler(_ -> {}); // The future of the response tells the same.
    if (over) {
      connected.reset();
      return;
    }
    upstream = connected;
    connected.response().onComplete(visit.guarded(this::answer), _ -> brokenOff());
    writeHeaders(connected);
    if (incoming.upgrade().isPresent()) {
      connected.connect();
    } else if (incoming.hasBody()) {
      connected.continueHandler(_ -> goOn());
      // The head goes first: a client that expects 100 sends no body until the app has seen it.
      connected.sendHead();
      request
          .pipe()
          .endOnComplete(false)
          .to(connected)
          .onSuccess(visit.guarded(_ -> endRequest(connected)));
    } else {
      sent = true;
      connected.end();
      parts.ejections().sent(this, target, route);
    }
  }

  private void endRequest(HttpClientRequest connected) {
    if (over) {
      return;
    }
    if (connected.isChunked()) {
      Trailers.of(request).ifPresent(all -> Trailers.append(connected.connection(), all));
    }
    connected.end().onSuccess(_ -> sent = true);
    if (!begun) {
      parts.ejections().sent(this, target, route);
    }
  }

  private void writeHeaders(HttpClientRequest connected) {
    var headers = connected.headers();
    headers.addAll(request.headers());
    boolean takesTrailers = HopHeaders.takesTrailers(headers);
    HopHeaders.strip(headers);
    if (takesTrailers) {
      HopHeaders.takeTrailers(headers);
    }
    incoming
        .destination()
        .authority()
        .ifPresent(authority -> headers.set(HttpHeaders.HOST, authority));
    parts.forwarded().write(incoming, headers);
    headers.set(REQUEST_ID, Exchange.of(request).id());
    incoming
        .upgrade()
        .ifPresent(protocol ->
            headers
                .set(HttpHeaders.CONNECTION, HttpHeaders.UPGRADE)
                .set(HttpHeaders.UPGRADE, protocol));
    if (request.version() == HttpVersion.HTTP_2) {
      joinCookies(headers);
    }
    if (incoming.hasBody() && request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
      headers.remove(HttpHeaders.CONTENT_LENGTH);
      connected.setChunked(true);
    } else if (incoming.hasBody() && !headers.contains(HttpHeaders.CONTENT_LENGTH)) {
      connected.setChunked(true); // by HTTP/2 nothing need be announced
    }
    if (!connected.isChunked()) {
      headers.remove(TRAILER); // There is no place for them.
    }
  }

  /** HTTP/2 may send them in pieces; HTTP/1.1 knows one header of them (RFC 9113, 8.2.3). */
  private static void joinCookies(MultiMap headers) {
    List<String> cookies = headers.getAll(HttpHeaders.COOKIE);
    if (cookies.size() > 1) {
      headers.set(HttpHeaders.COOKIE, String.join("; ", cookies));
    }
  }

  private void goOn() {
    if (!continued && !answer.headWritten() && request.version() != HttpVersion.HTTP_1_0) {
      continued = true;
      answer.writeContinue();
    }
  }

  private void brokenOff() {
    if (release()) {
      visit.brokenOff(target);
    }
  }

  private void answer(HttpClientResponse response) {
    if (over) {
      return;
    }
    Exchange.of(request).upstreamAnswered();
    begun = true;
    parts.ejections().answered(this, target, route);
    HopHeaders.limitKeepAlive(response.headers());
    int status = response.statusCode();
    if (status == HttpResponseStatus.SWITCHING_PROTOCOLS.code() && incoming.upgrade().isPresent()) {
      switchProtocols(response);
      return;
    }
    // Vert.x takes an interim answer that it does not know for final.
    if (status < FIRST_FINAL_STATUS || status > LAST_STATUS) {
      cancelUpstream();
      brokenOff();
      return;
    }
    Optional<SitePath> missed = status == 404 ? missed() : Optional.empty();
    if (missed.isPresent()) {
      response.pause().exceptionHandler(_ -> {}); // Until it is piped nothing else takes one.
      EarlierFiles.find(
          new SiteIndexes(parts.sites(), request),
          route,
          missed.get(),
          visit.<Optional<Content>>guarded(
                  file -> file.ifPresentOrElse(this::answerInstead, () -> passOn(response, status)))
              ::handle);
      return;
    }
    passOn(response, status);
  }

  /** What was asked for, where an earlier release may have it. */
  private Optional<SitePath> missed() {
    boolean isRead =
        request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
    return isRead && !incoming.hasBody() && incoming.upgrade().isEmpty()
        ? SitePath.of(incoming.destination().uri())
        : Optional.empty();
  }

  /** With a file of an earlier release: what the instance says is not needed. */
  private void answerInstead(Content file) {
    if (release()) {
      cancelUpstream();
      visit.finished();
      new SiteAnswer(parts.sites(), request, route.preview()).found(file);
    }
  }

  private void passOn(HttpClientResponse response, int status) {
    if (over) {
      return;
    }
    boolean bodyless =
        request.method().equals(HttpMethod.HEAD)
            || status == HttpResponseStatus.NO_CONTENT.code()
            || status == HttpResponseStatus.NOT_MODIFIED.code();
    answer.setStatusCode(status);
    String reason = response.statusMessage();
    // Only where it differs: Vert.x knows 304 by the identity of its status object.
    if (!bodyless && !HttpResponseStatus.valueOf(status).reasonPhrase().equals(reason)) {
      answer.setStatusMessage(reason);
    }
    copyHeaders(response);
    if (!bodyless && !answer.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
      answer.setChunked(true);
    }
    Leftover leftover = continued ? new Leftover(request, false) : Leftover.of(request);
    leftover.announce();
    if (!bodyless) {
      visit.soon(this::sendHead);
    }
    response
        .pipe()
        .endOnComplete(false)
        .to(answer)
        .onComplete(visit.guarded(_ -> end(response, leftover)), _ -> tear());
  }

  /** The head, where nothing of the body came with it: an event stream may be silent for long. */
  private void sendHead() {
    if (over) {
      return;
    }
    if (!answer.headWritten()) {
      answer.writeHead();
    } else if (request.version() == HttpVersion.HTTP_2) {
      // Vert.x leaves it lying where the client takes nothing of the body yet.
      Channels.of(request.connection()).flush();
    }
  }

  private void copyHeaders(HttpClientResponse response) {
    var headers = answer.headers();
    headers.addAll(response.headers());
    HopHeaders.strip(headers);
    if (route.preview()) {
      headers.set(ROBOTS, NO_INDEX);
    }
  }

  private void end(HttpClientResponse response, Leftover leftover) {
    if (over) {
      return;
    }
    if (answer.isChunked() && !response.trailers().isEmpty()) {
      Trailers.permitted(response.trailers())
          .forEach(trailer -> answer.trailers().add(trailer.getKey(), trailer.getValue()));
    }
    boolean untilClose =
        request.version() == HttpVersion.HTTP_1_0
            && !answer.headers().contains(HttpHeaders.CONTENT_LENGTH);
    boolean early = incoming.hasBody() && !request.isEnded();
    visit.finished();
    // By HTTP/2 the client's side is closed before this returns, and cancel() has been called.
    answer.end().onComplete(_ -> ended(leftover, early, untilClose));
  }

  private void ended(Leftover leftover, boolean early, boolean untilClose) {
    release();
    if (early || incoming.upgrade().isPresent()) {
      cancelUpstream(); // It still waits for the rest of the request.
    }
    leftover.discard();
    if (untilClose) {
      request.connection().close();
    }
  }

  /** The answer cannot be finished: the client must not take what it has for the whole. */
  private void tear() {
    if (release()) {
      Exchange.of(request).because(Refusal.ANSWER_BROKEN_OFF);
      visit.finished();
      cancelUpstream();
      Channels.closeHard(request);
    }
  }

  private void switchProtocols(HttpClientResponse response) {
    copyHeaders(response);
    answer
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.UPGRADE)
        .putHeader(
            HttpHeaders.UPGRADE,
            Optional.ofNullable(response.getHeader(HttpHeaders.UPGRADE))
                .orElse(incoming.upgrade().get()));
    NetSocket inner = response.netSocket().pause();
    request
        .toNetSocket()
        .onComplete(
            visit.guarded(outer -> {
              visit.finished();
              tunnel = outer;
              Exchange.of(request).switched(outer);
              join(outer, inner);
            }),
            _ -> tear());
  }

  private void join(NetSocket outer, NetSocket inner) {
    outer.closeHandler(_ -> cancel());
    inner.closeHandler(_ -> {
      inner.resume(); // What it said last may still wait for a slow client.
      cancel();
    });
    outer.pipe().endOnComplete(false).to(inner);
    inner.pipe().endOnComplete(false).to(outer);
  }

  /** Ends the connection to the instance, and the client's where they speak with each other. */
  void cancel() {
    boolean underWay = release();
    if (upstream != null && tunnel != null) {
      upstream.connection().close();
      tunnel.close();
    } else if (underWay) {
      cancelUpstream();
    }
  }

  private void cancelUpstream() {
    if (upstream == null) {
      return;
    }
    if (sent) {
      // The answer may have come in full, and another request have the connection: that is let be.
      upstream.reset();
    } else {
      // Not reset(): once the answer is complete that gives a connection back to the pool on which
      // half a request has been sent.
      Channels.closeHard(upstream.connection());
    }
  }

  /** Whether this call was the one that ended it. */
  private boolean release() {
    if (over) {
      return false;
    }
    over = true;
    parts.ejections().over(this);
    claim.release();
    return true;
  }
}
