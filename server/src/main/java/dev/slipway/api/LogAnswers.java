package dev.slipway.api;

import dev.slipway.coding.Coding;
import dev.slipway.core.InstanceId;
import dev.slipway.runlog.LogEntry;
import dev.slipway.runlog.RunLogs;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A log as an answer: whole, a page of it, or followed live. None holds more than a batch of it in
 * memory, and a slow reader is waited for.
 */
final class LogAnswers {
  private static final int BATCH = 500;
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
  private static final String EVENTS = "text/event-stream";
  private static final String JSON = "application/json";

  private final RunLogs logs;
  private final OpenStreams streams = new OpenStreams();

  LogAnswers(RunLogs logs) {
    this.logs = logs;
  }

  record EntryView(Instant timestamp, String level, String message, Optional<String> instance) {
    static EntryView of(LogCursor.Line line) {
      LogEntry entry = line.entry();
      return new EntryView(
          entry.timestamp(),
          entry.level().wireName(),
          entry.message(),
          line.instance().map(InstanceId::value));
    }
  }

  /** The log of a migration or deployment. */
  Answer answer(Call call, String logId) throws InterruptedException {
    long after = call.query("after").map(Long::parseLong).orElse(0L);
    if (wantsEvents(call)) {
      long seen = lastEventId(call).map(Long::parseLong).orElse(after);
      return follow(call, new RunLogCursor(logs, logId, seen));
    }
    Optional<Long> limit = call.query("limit").map(Long::parseLong);
    boolean paged = call.query("after").isPresent() || limit.isPresent();
    return write(call, new RunLogCursor(logs, logId, after), limit, paged);
  }

  static boolean wantsEvents(Call call) {
    return Accept.of(call.context().request().headers().getAll("Accept")).prefers(EVENTS, JSON);
  }

  /** The entry after which the client goes on with an earlier stream. */
  static Optional<String> lastEventId(Call call) {
    return Optional.ofNullable(call.context().request().getHeader("Last-Event-ID"))
        .filter(id -> !id.isBlank());
  }

  /** Where the client goes on with an earlier stream, it must name one of its events. */
  static void check(Call call, Faults faults, Predicate<String> isEventId) {
    if (wantsEvents(call) && !lastEventId(call).map(isEventId::test).orElse(true)) {
      faults.add("Last-Event-ID", "must be the id of an event of this stream");
    }
  }

  /**
   * The entries that there are.
   *
   * @param limit of a page
   * @param paged whether the answer says where the next page begins
   */
  Answer write(Call call, LogCursor cursor, Optional<Long> limit, boolean paged)
      throws InterruptedException {
    HttpServerResponse response = begin(call, JSON);
    HttpServerRequest request = call.context().request();
    Optional<Coding> coding =
        Coding.accepted(request.headers().getAll(HttpHeaders.ACCEPT_ENCODING));
    CodedStream.announce(request, coding);
    if (call.wantsHeadAlone()) {
      response.end();
      return new Answer.Streamed();
    }
    try (CodedStream coded = new CodedStream(coding)) {
      writeJson(response, coded, cursor, limit.orElse(Long.MAX_VALUE), paged);
    } catch (ReaderGone gone) {
      // The client closed the connection: nothing is left to do.
    }
    return new Answer.Streamed();
  }

  /** The entries as they come, until there will be no more. */
  Answer follow(Call call, LogCursor cursor) throws InterruptedException {
    try (var _ = streams.open(call.account())) {
      HttpServerResponse response = begin(call, EVENTS);
      response.putHeader("Cache-Control", "no-cache").putHeader("X-Accel-Buffering", "no");
      if (call.wantsHeadAlone()) {
        response.end();
        return new Answer.Streamed();
      }
      // Of a quiet log too, the client sees at once that it is answered.
      write(response, Buffer.buffer(": follows\n\n"));
      writeEvents(call, cursor);
    } catch (ReaderGone gone) {
      // As above.
    }
    return new Answer.Streamed();
  }

  private static HttpServerResponse begin(Call call, String type) {
    HttpServerResponse response = call.context().response();
    response.setChunked(true).putHeader("Content-Type", type).headers().add("Vary", "Accept");
    return response;
  }

  private static void writeJson(
      HttpServerResponse response, CodedStream coded, LogCursor cursor, long limit, boolean paged)
      throws InterruptedException, ReaderGone {
    long left = Math.min(limit, cursor.left());
    Buffer text = Buffer.buffer("{\"data\":{\"logs\":[");
    boolean first = true;
    List<LogCursor.Line> batch;
    do {
      int wanted = (int) Math.min(BATCH, left);
      batch = wanted > 0 ? cursor.next(wanted) : List.of();
      for (LogCursor.Line line : batch) {
        text.appendString(first ? "" : ",").appendBytes(json(line));
        first = false;
      }
      left -= batch.size();
      write(response, coded.next(text));
      text = Buffer.buffer();
    } while (!batch.isEmpty() && cursor.moreNow());
    text.appendString(paged ? "],\"next_after\":" + cursor.place() : "]").appendString("}}");
    write(response, coded.next(text).appendBuffer(coded.end()));
    response.end();
  }

  private void writeEvents(Call call, LogCursor cursor) throws InterruptedException, ReaderGone {
    HttpServerResponse response = call.context().response();
    Semaphore changes = new Semaphore(0);
    // A reader that goes away is noticed at once, not at the next write.
    call.context().addEndHandler(ended -> changes.release());
    long lastWrite = System.nanoTime();
    long lastLook = System.nanoTime();
    try (var _ = cursor.watch(changes::release)) {
      while (!response.closed()) {
        if (System.nanoTime() - lastLook >= KEEP_ALIVE.toNanos()) {
          if (!call.caller().admitted().getAsBoolean()) {
            response.end(); // revoked or signed out since
            return;
          }
          lastLook = System.nanoTime();
        }
        // Asked before reading: what is written between the two is read.
        boolean mayGrow = cursor.mayGrow();
        List<LogCursor.Line> batch = cursor.next(BATCH);
        if (!batch.isEmpty()) {
          write(response, events(batch));
          lastWrite = System.nanoTime();
        } else if (!mayGrow) {
          write(response, Buffer.buffer("event: end\ndata: {}\n\n"));
          response.end();
          return;
        } else if (changes.tryAcquire(cursor.patience().toMillis(), TimeUnit.MILLISECONDS)) {
          changes.drainPermits();
        } else if (System.nanoTime() - lastWrite >= KEEP_ALIVE.toNanos()) {
          write(response, Buffer.buffer(": keep-alive\n\n"));
          lastWrite = System.nanoTime();
        }
      }
    }
  }

  private static Buffer events(List<LogCursor.Line> batch) {
    Buffer text = Buffer.buffer();
    for (LogCursor.Line line : batch) {
      text.appendString("id: " + line.id() + "\nevent: log\ndata: ")
          .appendBytes(json(line))
          .appendString("\n\n");
    }
    return text;
  }

  private static byte[] json(LogCursor.Line line) {
    return Json.write(EntryView.of(line));
  }

  /** Returns when the bytes are on their way, so that a slow reader slows us down. */
  private static void write(HttpServerResponse response, Buffer bytes)
      throws InterruptedException, ReaderGone {
    try {
      response.write(bytes).toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException readerIsGone) {
      throw new ReaderGone();
    }
  }

  private static final class ReaderGone extends Exception {
    ReaderGone() {
      super("the client closed the connection", null, false, false);
    }
  }
}
