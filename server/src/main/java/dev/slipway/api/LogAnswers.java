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

/**
 * A log as an answer: whole, a page of it, or followed live. None holds more than a batch of it in
 * memory, and a slow reader is waited for.
 */
final class LogAnswers {
  private static final int BATCH = 500;
  private static final String JSON = "application/json";

  private final RunLogs logs;
  private final EventStreams streams;

  LogAnswers(RunLogs logs, EventStreams streams) {
    this.logs = logs;
    this.streams = streams;
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
    if (EventStreams.wanted(call)) {
      long seen = EventStreams.lastEventId(call).map(Long::parseLong).orElse(after);
      return follow(call, new RunLogCursor(logs, logId, seen));
    }
    Optional<Long> limit = call.query("limit").map(Long::parseLong);
    boolean paged = call.query("after").isPresent() || limit.isPresent();
    return write(call, new RunLogCursor(logs, logId, after), limit, paged);
  }

  /**
   * The entries that there are.
   *
   * @param limit of a page
   * @param paged whether the answer says where the next page begins
   */
  Answer write(Call call, LogCursor cursor, Optional<Long> limit, boolean paged)
      throws InterruptedException {
    HttpServerResponse response = StreamedBody.begin(call, JSON);
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
    } catch (StreamedBody.ReaderGone gone) {
      // The client closed the connection: nothing is left to do.
    }
    return new Answer.Streamed();
  }

  /** The entries as they come, until there will be no more. */
  Answer follow(Call call, LogCursor cursor) throws InterruptedException {
    return streams.follow(call, new Followed(cursor));
  }

  private static void writeJson(
      HttpServerResponse response, CodedStream coded, LogCursor cursor, long limit, boolean paged)
      throws InterruptedException, StreamedBody.ReaderGone {
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
      StreamedBody.write(response, coded.next(text));
      text = Buffer.buffer();
    } while (!batch.isEmpty() && cursor.moreNow());
    text.appendString(paged ? "],\"next_after\":" + cursor.place() : "]").appendString("}}");
    StreamedBody.write(response, coded.next(text).appendBuffer(coded.end()));
    response.end();
  }

  private static byte[] json(LogCursor.Line line) {
    return Json.write(EntryView.of(line));
  }

  /** A log as a stream of events. */
  private record Followed(LogCursor cursor) implements EventStreams.Source {
    @Override
    public Optional<Buffer> next() {
      List<LogCursor.Line> batch = cursor.next(BATCH);
      Buffer text = Buffer.buffer();
      batch.forEach(line -> EventStreams.append(text, line.id(), "log", json(line)));
      return batch.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    @Override
    public boolean mayGrow() {
      return cursor.mayGrow();
    }

    @Override
    public EventStreams.Watch watch(Runnable onChange) {
      return cursor.watch(onChange);
    }

    @Override
    public Duration patience() {
      return cursor.patience();
    }
  }
}
