package dev.slipway.deployment;

import dev.slipway.core.InstanceId;
import dev.slipway.instance.Instances;
import dev.slipway.runlog.LogEntry;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.Masker;
import dev.slipway.runlog.PlainText;
import dev.slipway.runtime.Printed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What a deployment's program prints, as one reader goes through it: the output of all its
 * instances here, each from the oldest that is kept, masked. For one thread.
 *
 * <p>A program writes no times: an entry has the time at which its output was last added to.
 */
public final class ProgramLog {
  private static final int PIECE_BYTES = 64 << 10;

  private final Instances instances;
  private final Supplier<List<InstanceId>> present;
  private final BooleanSupplier mayStart;
  private final Masker masker;
  private final ProgramPlaces places;
  private Instant floor = Instant.EPOCH;
  private boolean caughtUp;

  /**
   * @param present the instances that there are
   * @param mayStart whether another may be started without anybody asking for it
   * @param places how far each has been read
   */
  ProgramLog(
      Instances instances,
      Supplier<List<InstanceId>> present,
      BooleanSupplier mayStart,
      Masker masker,
      ProgramPlaces places) {
    this.instances = instances;
    this.present = present;
    this.mayStart = mayStart;
    this.masker = masker;
    this.places = places;
  }

  /**
   * @param place goes on after this line, with {@link ProgramPlaces#parse}
   */
  public record Line(String place, LogEntry entry) {}

  /** Whether lines may come after those that {@link #next} finds now. */
  public boolean mayGrow() {
    return !present.get().isEmpty() || mayStart.getAsBoolean();
  }

  /** Whether the last {@link #next} reached the end of what had been printed by then. */
  public boolean caughtUp() {
    return caughtUp;
  }

  /** Lines that have not been read, about so many at most; empty where there are none now. */
  public List<Line> next(int limit) {
    List<Line> lines = new ArrayList<>();
    List<InstanceId> all = present.get();
    places.retain(all);
    caughtUp = true;
    for (InstanceId id : all) {
      if (lines.size() < limit) {
        read(id, lines, limit);
      } else {
        caughtUp = false;
      }
    }
    return lines;
  }

  private void read(InstanceId id, List<Line> lines, int limit) {
    boolean ended = instances.ended(id); // before reading: then it is all there
    Printed piece = instances.printed(id, places.of(id), PIECE_BYTES);
    byte[] bytes = piece.bytes();
    if (bytes.length == 0) {
      return;
    }
    caughtUp &= bytes.length < PIECE_BYTES;
    int begin = 0;
    if (piece.from() > places.of(id)) {
      begin = afterLineFeed(bytes, 0);
      places.move(id, piece.from() + begin);
      add(lines, piece, LogLevel.WARNING, "Older output of the program is not kept.");
    }
    while (begin < bytes.length && lines.size() < limit) {
      int end = afterLineFeed(bytes, begin);
      boolean whole = bytes[end - 1] == '\n';
      if (!whole && !ended && bytes.length - begin < PIECE_BYTES) {
        return; // the rest of the line is still to come
      }
      String text = new String(bytes, begin, end - begin, StandardCharsets.UTF_8);
      places.move(id, piece.from() + end);
      add(lines, piece, LogLevel.INFO, masker.mask(PlainText.of(asDrawnLast(text))));
      begin = end;
    }
    caughtUp &= begin == bytes.length;
  }

  private void add(List<Line> lines, Printed piece, LogLevel level, String message) {
    Instant at = piece.at().truncatedTo(ChronoUnit.MILLIS);
    floor = at.isBefore(floor) ? floor : at;
    lines.add(new Line(places.toString(), new LogEntry(floor, level, message)));
  }

  /** Behind the next line feed, or at the end. */
  private static int afterLineFeed(byte[] bytes, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
    }
    return bytes.length;
  }

  /** A line that was drawn over several times, such as a progress bar. */
  private static String asDrawnLast(String text) {
    String line = text.stripTrailing();
    return line.substring(line.lastIndexOf('\r') + 1);
  }
}
