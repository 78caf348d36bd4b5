package dev.slipway.edge;

import dev.slipway.metric.Traffic;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.net.NetSocket;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, as they are told of afterwards: whoever deals with it says what it
 * did, and at its end, however that comes, the {@link Journal} takes it. On the event loop of the
 * request.
 */
final class Exchange {
  private static final Pattern SANE_ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
  private static final CharSequence ID_HEADER = HttpHeaders.createOptimized("x-request-id");
  private static final int CLOSED_BY_CLIENT = 499; // as nginx has it, and who reads its logs
  private static final int ID_DIGITS = 16;

  private final HttpServerRequest request;
  private final long begunNanos = System.nanoTime();
  private @Nullable Journal journal;
  private @Nullable Destination destination;
  private @Nullable Traffic traffic;
  private @Nullable Route route;
  private @Nullable Target target;
  private @Nullable TunnelBytes tunnel;
  private @Nullable String reason;
  private @Nullable String id;
  private long askedNanos;
  private long upstreamNanos = -1;
  private long answeredNanos = -1;
  private long tookNanos;
  private boolean aborted;
  private boolean over;

  Exchange(HttpServerRequest request) {
    this.request = request;
  }

  /** That of a request; one that nobody is told of where Vert.x reports none. */
  static Exchange of(HttpServerRequest request) {
    return ((HttpServerRequestInternal) request).metric() instanceof Exchange exchange
        ? exchange
        : new Exchange(request);
  }

  /** Somebody will want to know of it. */
  void begin(Journal to, Destination asked) {
    journal = to;
    destination = asked;
  }

  /** Whose it is; the first to say so counts. */
  void isFor(Traffic owner) {
    if (traffic == null) {
      traffic = owner;
      owner.begun();
    }
  }

  /** What the table says about it at the moment. */
  void routed(Route to) {
    route = to;
    if (traffic == null && journal != null) {
      isFor(journal.traffic(to));
    }
  }

  /** It is passed on to an instance, perhaps not the first one. */
  void passedOn(Target to) {
    if (target == null) {
      askedNanos = System.nanoTime();
    }
    target = to;
  }

  /** The head of the instance's answer is there. */
  void upstreamAnswered() {
    upstreamNanos = System.nanoTime() - askedNanos;
  }

  /** The head of the answer is being written. */
  void answered() {
    if (answeredNanos < 0) {
      answeredNanos = System.nanoTime() - begunNanos;
    }
  }

  /** From now on bytes go both ways. */
  void switched(NetSocket socket) {
    tunnel = TunnelBytes.count(socket);
  }

  /** Why it ended as it did, where that is the edge's doing. */
  void because(Enum<?> why) {
    reason = why.name().toLowerCase(Locale.ROOT);
  }

  /** The client's own where it is a sane token, else a new one. */
  String id() {
    if (id == null) {
      String given = request.getHeader(ID_HEADER);
      id = given != null && SANE_ID.matcher(given).matches() ? given : newId();
    }
    return id;
  }

  private static String newId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    char[] digits = new char[2 * ID_DIGITS];
    long bits = 0;
    for (int i = 0; i < digits.length; i++) {
      bits = i % ID_DIGITS == 0 ? random.nextLong() : bits >>> 4;
      digits[i] = Character.forDigit((int) bits & 0xf, 16);
    }
    return new String(digits);
  }

  /** The answer has been written in full, or the connection that it became is closed. */
  void end() {
    finish(false);
  }

  /** It will never be. */
  void abort() {
    finish(true);
  }

  private void finish(boolean early) {
    if (over) {
      return;
    }
    over = true;
    if (journal == null) {
      return;
    }
    tookNanos = System.nanoTime() - begunNanos;
    aborted = early;
    answered();
    if (traffic == null) {
      isFor(journal.others());
    }
    if (traffic != null) {
      traffic.ended(status(), early, received(), sent(), answeredNanos);
    }
    journal.write(this);
  }

  HttpServerRequest request() {
    return request;
  }

  @Nullable Destination destination() {
    return destination;
  }

  @Nullable Route route() {
    return route;
  }

  @Nullable Target target() {
    return target;
  }

  /** The id, where the answer or the request to the instance has carried one. */
  @Nullable String knownId() {
    return id == null ? request.response().headers().get(ID_HEADER) : id;
  }

  /** That of the answer; 408 or 499 where none was begun. */
  int status() {
    HttpServerResponse response = request.response();
    if (!aborted || response.headWritten()) {
      return response.getStatusCode();
    }
    ConnectionEnd end = ConnectionEnd.of(request);
    return end == null ? CLOSED_BY_CLIENT : end.status();
  }

  @Nullable String reason() {
    if (reason == null && aborted) {
      ConnectionEnd end = ConnectionEnd.of(request);
      return end == null ? null : end.reason();
    }
    return reason;
  }

  boolean isAborted() {
    return aborted;
  }

  long received() {
    return tunnel == null ? request.bytesRead() : tunnel.received();
  }

  long sent() {
    return tunnel == null ? request.response().bytesWritten() : tunnel.sent();
  }

  long tookNanos() {
    return tookNanos;
  }

  /** Until the head of the instance's answer was there; negative where it never was. */
  long upstreamNanos() {
    return upstreamNanos;
  }
}
