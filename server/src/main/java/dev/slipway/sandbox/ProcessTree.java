package dev.slipway.sandbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A process and its descendants at one moment, those that have ended left out. */
final class ProcessTree {
  private final Map<Long, ProcessStat> members = new LinkedHashMap<>();

  /** Empty where {@code root} is gone. */
  ProcessTree(long root) {
    Map<Long, List<ProcessStat>> children = new HashMap<>();
    Deque<ProcessStat> next = new ArrayDeque<>();
    for (ProcessStat process : ProcessStat.all()) {
      children.computeIfAbsent(process.parent(), _ -> new ArrayList<>()).add(process);
      if (process.pid() == root) {
        next.add(process);
      }
    }
    while (!next.isEmpty()) {
      ProcessStat process = next.remove();
      if (!process.ended()) {
        members.put(process.pid(), process);
      }
      next.addAll(children.getOrDefault(process.pid(), List.of()));
    }
  }

  Set<Long> pids() {
    return Set.copyOf(members.keySet());
  }

  /**
   * The program itself below what keeps it apart: the eldest child of the first process of the
   * outermost process namespace in the tree; what is handed to that process later is younger. The
   * root where no such namespace is in the tree.
   */
  Optional<Long> program() {
    for (ProcessStat process : members.values()) {
      List<Long> ids = process.idsByNamespace();
      if (ids.size() > 1 && ids.getLast() == 1) {
        return members.values().stream()
            .filter(member -> member.parent() == process.pid())
            .min(
                Comparator.comparingLong(ProcessStat::startTime)
                    .thenComparingLong(ProcessStat::pid))
            .map(ProcessStat::pid);
      }
    }
    return members.keySet().stream().findFirst();
  }
}
