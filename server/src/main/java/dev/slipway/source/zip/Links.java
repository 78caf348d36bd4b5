package dev.slipway.source.zip;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Where the links of an archive lead, followed as the system would: a link that stays inside by its
 * text may leave by way of another.
 *
 * @param targets by the link's path
 */
record Links(Map<EntryName, String> targets) {
  /** As many as Linux follows. */
  private static final int MOST_FOLLOWED = 40;

  Links {
    targets = Map.copyOf(targets);
  }

  /**
   * @throws dev.slipway.core.AppFailure if any of them may lead out of the archive
   */
  void requireInside() {
    targets.forEach((link, target) -> {
      Archive.requireUninterrupted();
      if (!staysInside(link, target)) {
        throw Refused.entry(
            link.toString(), "is a link that leads out of the archive, to " + target);
      }
    });
  }

  private boolean staysInside(EntryName link, String target) {
    List<String> place = new ArrayList<>(link.names().subList(0, link.names().size() - 1));
    Deque<String> ahead = new ArrayDeque<>(names(target));
    int followed = 0;
    if (target.startsWith("/")) {
      return false;
    }
    while (!ahead.isEmpty()) {
      String name = ahead.pop();
      if (name.equals("..")) {
        if (place.isEmpty()) {
          return false;
        }
        place.removeLast();
        continue;
      }
      place.add(name);
      if (place.size() > EntryName.MAX_DEPTH) {
        return true; // There is nothing so deep: the link leads nowhere.
      }
      String next = targets.get(new EntryName(place));
      if (next != null) {
        if (++followed > MOST_FOLLOWED || next.startsWith("/")) {
          return false;
        }
        place.removeLast();
        List<String> onward = names(next);
        onward.reversed().forEach(ahead::push);
      }
    }
    return true;
  }

  private static List<String> names(String target) {
    return Arrays.stream(target.split("/"))
        .filter(name -> !name.isEmpty() && !name.equals("."))
        .toList();
  }
}
