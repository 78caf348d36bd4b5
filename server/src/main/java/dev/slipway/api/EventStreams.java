package dev.slipway.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Streams of server-sent events that are followed live. None holds more than a batch in memory, and
 * a slow reader is waited for.
 */
final class EventStreams {
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
  private static final String EVENTS = "text/event-stream";
  private static final String JSON = "application/json";

  private final OpenStreams open = new OpenStreams();

  /** What is followed, from a place that moves on. For one thread. */
  interface Source {
    /** The next events as they are sent, see {@link #append}; empty where there are none now. */
    Optional<Buffer> next();

    /** Whether events may come after those that the next {@link #next} finds; asked before it. */
    boolean mayGrow();

    /** Calls {@code onChange} soon after each change, until it is closed. */
    Watch watch(Runnable onChange);

    /** How long to wait for a change before looking again. */
    Duration patience();
  }

  /** Ends with {@link #close}. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  static boolean wanted(Call call) {
    return Accept.of(call.context().request().headers().getAll("Accept")).prefers(EVENTS, JSON);
  }

  /** The event after which the client goes on with an earlier stream. */
  static Optional<String> lastEventId(Call call) {
    return Optional.ofNullable(call.context().request().getHeader("Last-Event-ID"))
        .filter(id -> !id.isBlank());
  }

  /** Where the client goes on with an earlier stream, it must name one of its events. */
  static void check(Call call, Faults faults, Predicate<String> isEventId) {
    if (wanted(call) && !lastEventId(call).map(isEventId::test).orElse(true)) {
      faults.add("Last-Event-ID", "must be the id of an event of this stream");
    }
  }

  /**
   * Adds one event to what is sent.
   *
   * @param data one line
   */
  static void append(Buffer text, String id, String event, byte[] data) {
    text.appendString("id: " + id + "\nevent: " + event + "\ndata: ")
        .appendBytes(data)
        .appendString("\n\n");
  }

  /** The events as they come, until there will be no more. */
  Answer follow(Call call, Source source) throws InterruptedException {
    try (var _ = open.open(call.account())) {
      HttpServerResponse response = StreamedBody.begin(call, EVENTS);
      response.putHeader("Cache-Control", "no-cache").putHeader("X-Accel-Buffering", "no");
      if (call.wantsHeadAlone()) {
        response.end();
        return new Answer.Streamed();
      }
      // Of a quiet stream too, the client sees at once that it is answered.
      StreamedBody.write(response, Buffer.buffer(": follows\n\n"));
      write(call, source);
    } catch (StreamedBody.ReaderGone gone) {
      // Nothing is left to do.
    }
    return new Answer.Streamed();
  }

  private static void write(Call call, Source source)
      throws InterruptedException, StreamedBody.ReaderGone {
    HttpServerResponse response = call.context().response();
    Semaphore changes = new Semaphore(0);
    // A reader that goes away is noticed at once, not at the next write.
    call.context().addEndHandler(ended -> changes.release());
    long lastWrite = System.nanoTime();
    long lastLook = System.nanoTime();
    try (var _ = source.watch(changes::release)) {
      while (!response.closed()) {
        if (System.nanoTime() - lastLook >= KEEP_ALIVE.toNanos()) {
          if (!call.caller().admitted().getAsBoolean()) {
            response.end(); // revoked or signed out since
            return;
          }
          lastLook = System.nanoTime();
        }
        // Asked before reading: what is written between the two is read.
        boolean mayGrow = source.mayGrow();
        Optional<Buffer> next = source.next();
        if (next.isPresent()) {
          StreamedBody.write(response, next.get());
          lastWrite = System.nanoTime();
        } else if (!mayGrow) {
          StreamedBody.write(response, Buffer.buffer("event: end\ndata: {}\n\n"));
          response.end();
          return;
        } else {
          if (changes.tryAcquire(source.patience().toMillis(), TimeUnit.MILLISECONDS)) {
            changes.drainPermits();
          }
          // Also where there was a word of a change that is none for this reader.
          if (System.nanoTime() - lastWrite >= KEEP_ALIVE.toNanos()) {
            StreamedBody.write(response, Buffer.buffer(": keep-alive\n\n"));
            lastWrite = System.nanoTime();
          }
        }
      }
    }
  }
}
