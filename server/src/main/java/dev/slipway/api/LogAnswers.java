package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.runlog.LogEntry;
import dev.slipway.runlog.RunLogs;
import dev.slipway.runlog.StoredEntry;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A log as an answer: whole, or followed live. Neither holds more than a batch of it in memory, and
 * a slow reader is waited for.
 */
final class LogAnswers {
  private static final int BATCH = 1_000;
  private static final int KEEP_ALIVE_SECONDS = 15;

  private final RunLogs logs;

  LogAnswers(RunLogs logs) {
    this.logs = logs;
  }

  record EntryView(Instant timestamp, String level, String message) {
    static EntryView of(LogEntry entry) {
      return new EntryView(entry.timestamp(), entry.level().wireName(), entry.message());
    }
  }

  Answer answer(Call call, String logId) throws InterruptedException {
    HttpServerResponse response = call.context().response();
    response.setChunked(true);
    try {
      stream(call, response, logId);
    } catch (ReaderGone gone) {
      // The client closed the connection: nothing is left to do.
    }
    return new Answer.Streamed();
  }

  private void stream(Call call, HttpServerResponse response, String logId)
      throws InterruptedException, ReaderGone {
    if (call.wantsEvents()) {
      long after = lastEventId(call);
      response
          .putHeader("Content-Type", "text/event-stream")
          .putHeader("Cache-Control", "no-cache")
          .putHeader("X-Accel-Buffering", "no");
      follow(response, logId, after);
    } else {
      response.putHeader("Content-Type", "application/json");
      writeWhole(response, logId);
    }
  }

  private void writeWhole(HttpServerResponse response, String logId)
      throws InterruptedException, ReaderGone {
    write(response, Buffer.buffer("{\"data\":{\"logs\":["));
    long after = 0;
    List<StoredEntry> batch;
    do {
      batch = logs.read(logId, after, BATCH);
      Buffer text = Buffer.buffer();
      for (StoredEntry stored : batch) {
        if (after > 0) {
          text.appendString(",");
        }
        text.appendBytes(Json.write(EntryView.of(stored.entry())));
        after = stored.seq();
      }
      write(response, text);
    } while (batch.size() == BATCH);
    write(response, Buffer.buffer("]}}"));
    response.end();
  }

  private void follow(HttpServerResponse response, String logId, long lastSeen)
      throws InterruptedException, ReaderGone {
    Semaphore changes = new Semaphore(0);
    long after = lastSeen;
    try (var _ = logs.follow(logId, changes::release)) {
      while (!response.closed()) {
        // Asked before reading: what is written between the two is read.
        boolean closed = logs.closed(logId);
        List<StoredEntry> batch = logs.read(logId, after, BATCH);
        for (StoredEntry stored : batch) {
          write(response, event(stored));
          after = stored.seq();
        }
        if (batch.size() == BATCH) {
          continue;
        }
        if (closed) {
          write(response, Buffer.buffer("event: end\ndata: {}\n\n"));
          response.end();
          return;
        }
        if (changes.tryAcquire(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)) {
          changes.drainPermits();
        } else {
          write(response, Buffer.buffer(": keep-alive\n\n"));
        }
      }
    }
  }

  private static Buffer event(StoredEntry stored) {
    return Buffer.buffer("id: " + stored.seq() + "\nevent: log\ndata: ")
        .appendBytes(Json.write(EntryView.of(stored.entry())))
        .appendString("\n\n");
  }

  private static long lastEventId(Call call) {
    String header = call.context().request().getHeader("Last-Event-ID");
    if (header == null) {
      return 0;
    }
    try {
      return Long.parseLong(header);
    } catch (NumberFormatException e) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "Last-Event-ID: must be the id of an event of this stream");
    }
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
