package dev.slipway.deployment;

import dev.slipway.core.InstanceId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How far the output of each instance has been read, in bytes. For one thread. */
public final class ProgramPlaces {
  private static final Pattern FORM =
      Pattern.compile("ins_[a-z0-9]{26}:[0-9]{1,18}(,ins_[a-z0-9]{26}:[0-9]{1,18}){0,127}");

  private final Map<InstanceId, Long> bytes = new LinkedHashMap<>();

  /** At the begin of all. */
  public static ProgramPlaces begin() {
    return new ProgramPlaces();
  }

  /** As {@link #toString} wrote it; empty where the text is none of that form. */
  public static Optional<ProgramPlaces> parse(String text) {
    if (!FORM.matcher(text).matches()) {
      return Optional.empty();
    }
    ProgramPlaces places = new ProgramPlaces();
    for (String each : text.split(",", -1)) {
      int colon = each.indexOf(':');
      places.move(
          new InstanceId(each.substring(0, colon)), Long.parseLong(each.substring(colon + 1)));
    }
    return Optional.of(places);
  }

  long of(InstanceId id) {
    return bytes.getOrDefault(id, 0L);
  }

  void move(InstanceId id, long place) {
    bytes.put(id, place);
  }

  /** Forgets those that are gone. */
  void retain(Collection<InstanceId> ids) {
    bytes.keySet().retainAll(ids);
  }

  /** For example {@code ins_01m7z41xnqfn9tz0me7zz8a9yx:4711}. */
  @Override
  public String toString() {
    return bytes.entrySet().stream()
        .map(entry -> entry.getKey() + ":" + entry.getValue())
        .collect(Collectors.joining(","));
  }
}
