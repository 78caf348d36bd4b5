package dev.slipway.deployment;

import dev.slipway.core.InstanceId;
import dev.slipway.instance.Instances;
import dev.slipway.project.CrashingStore;
import dev.slipway.runlog.LogEntry;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.Masker;
import dev.slipway.runlog.PlainText;
import dev.slipway.runtime.Printed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a deployment's program prints, as one reader goes through it: the output of all its
 * instances here, each from the oldest that is kept, masked. For one thread.
 *
 * <p>Of instances that crashed again and again the last words come first.
 *
 * <p>A program writes no times: an entry has the time at which its output was last added to.
 */
public final class ProgramLog {
  private static final int PIECE_BYTES = 64 << 10;
  private static final int NEWEST_BYTES = 32 << 10;

  private final Instances instances;
  private final Supplier<List<InstanceId>> present;
  private final Supplier<Optional<CrashingStore.Report>> crashes;
  private final BooleanSupplier mayStart;
  private final Supplier<Masker> masker;
  private final ProgramPlaces places;
  private Instant floor = Instant.EPOCH;
  private boolean caughtUp;

  /**
   * @param present the instances that there are
   * @param crashes what is told of those that are gone
   * @param mayStart whether another may be started without anybody asking for it
   * @param masker of what was given to them until now
   * @param places how far each has been read
   */
  ProgramLog(
      Instances instances,
      Supplier<List<InstanceId>> present,
      Supplier<Optional<CrashingStore.Report>> crashes,
      BooleanSupplier mayStart,
      Supplier<Masker> masker,
      ProgramPlaces places) {
    this.instances = instances;
    this.present = present;
    this.crashes = crashes;
    this.mayStart = mayStart;
    this.masker = masker;
    this.places = places;
  }

  /**
   * @param place goes on after this line, with {@link ProgramPlaces#parse}
   * @param instance which printed it; of what is told of others, none
   */
  public record Line(String place, LogEntry entry, Optional<InstanceId> instance) {}

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
    Optional<CrashingStore.Report> report = crashes.get();
    places.retain(Stream.concat(all.stream(), report.stream().map(it -> it.crashed())).toList());
    caughtUp = true;
    report
        .filter(it -> places.of(it.crashed()) == 0)
        .ifPresent(unread -> lines.addAll(told(unread)));
    for (InstanceId id : all) {
      if (lines.size() < limit) {
        read(id, lines, limit);
      } else {
        caughtUp = false;
      }
    }
    return lines;
  }

  /**
   * The newest lines, of each instance as many, about {@code limit} together; of each instance in
   * their order, the oldest instance first. For a log of which nothing was read before.
   */
  public List<Line> newest(int limit) {
    List<InstanceId> all = present.get();
    all.forEach(this::skipOld);
    Map<Optional<InstanceId>, List<Line>> byInstance =
        next(Integer.MAX_VALUE).stream()
            .collect(
                Collectors.groupingBy(Line::instance, LinkedHashMap::new, Collectors.toList()));
    int each = Math.max(1, limit / Math.max(1, byInstance.size()));
    return byInstance.values().stream()
        .flatMap(its -> its.subList(Math.max(0, its.size() - each), its.size()).stream())
        .toList();
  }

  /** Goes on at the begin of a line that is not far from the end. */
  private void skipOld(InstanceId id) {
    long from = instances.printedBytes(id) - NEWEST_BYTES;
    if (from > 0) {
      Printed piece = instances.printed(id, from, NEWEST_BYTES);
      places.move(id, piece.from() + afterLineFeed(piece.bytes(), 0));
    }
  }

  private List<Line> told(CrashingStore.Report report) {
    places.move(report.crashed(), 1);
    Instant at = report.crashing().since();
    return Stream.concat(
            report.lastLines().stream()
                .map(line -> line(at, LogLevel.INFO, line, Optional.empty())),
            Stream.of(
                line(at, LogLevel.ERROR, report.crashing().failure().message(), Optional.empty())))
        .toList();
  }

  private void read(InstanceId id, List<Line> lines, int limit) {
    boolean ended = instances.ended(id); // before reading: then it is all there
    Printed piece = instances.printed(id, places.of(id), PIECE_BYTES);
    byte[] bytes = piece.bytes();
    if (bytes.length == 0) {
      return;
    }
    caughtUp &= bytes.length < PIECE_BYTES;
    Masker mask = masker.get(); // after it was printed: it may be what a database has only now
    int begin = 0;
    if (piece.from() > places.of(id)) {
      begin = afterLineFeed(bytes, 0);
      places.move(id, piece.from() + begin);
      lines.add(
          line(
              piece.at(),
              LogLevel.WARNING,
              "Older output of the program is not kept.",
              Optional.of(id)));
    }
    while (begin < bytes.length && lines.size() < limit) {
      int end = afterLineFeed(bytes, begin);
      boolean whole = bytes[end - 1] == '\n';
      if (!whole && !ended && bytes.length - begin < PIECE_BYTES) {
        return; // the rest of the line is still to come
      }
      String text = new String(bytes, begin, end - begin, StandardCharsets.UTF_8);
      places.move(id, piece.from() + end);
      lines.add(
          line(
              piece.at(),
              LogLevel.INFO,
              mask.mask(PlainText.of(asDrawnLast(text))),
              Optional.of(id)));
      begin = end;
    }
    caughtUp &= begin == bytes.length;
  }

  private Line line(Instant time, LogLevel level, String message, Optional<InstanceId> instance) {
    Instant at = time.truncatedTo(ChronoUnit.MILLIS);
    floor = at.isBefore(floor) ? floor : at;
    return new Line(places.toString(), new LogEntry(floor, level, message), instance);
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
