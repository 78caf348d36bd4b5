package dev.slipway.instance;

import dev.slipway.edge.Probe;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a program that does not answer as it should is seen to do instead. Equal if unchanged. */
sealed interface Sight {
  /** It listens on ports, and the one that PORT names is not among them. */
  record Elsewhere(Set<Integer> ports, int wanted) implements Sight {
    @Override
    public String sentence() {
      return "The program listens on port %s and not on %d, which PORT names"
          .formatted(listed(ports), wanted);
    }
  }

  /** It listens on its port, where the host does not reach it. */
  record OtherAddress() implements Sight {
    @Override
    public String sentence() {
      return "The program listens on its port, but not at 127.0.0.1";
    }
  }

  /** It answers, and always with the same status of 500 or more. */
  record Fault(int status, String path) implements Sight {
    /** These say of themselves that they pass: a program may be loading what it needs. */
    private static final Set<Integer> NOT_YET = Set.of(502, 503, 504);

    boolean passes() {
      return NOT_YET.contains(status);
    }

    @Override
    public String sentence() {
      return "The program answers GET %s with status %d".formatted(path, status);
    }
  }

  /** Nothing that says more than that it takes its time. */
  record Unclear() implements Sight {
    @Override
    public String sentence() {
      return "The program does not answer yet";
    }
  }

  /** For the user, without a full stop. */
  String sentence();

  static String listed(Set<Integer> ports) {
    return ports.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /**
   * @param tries what came of all since the last look
   * @param ports that it listens on now
   * @param wanted what PORT names
   * @param path that it is asked for
   */
  static Sight of(List<Probe> tries, Set<Integer> ports, int wanted, String path) {
    Set<Probe> kinds = Set.copyOf(tries);
    if (kinds.size() != 1) {
      return new Unclear();
    }
    return switch (tries.getFirst()) {
      case Probe.Answered(int status) -> new Fault(status, path);
      case Probe.Refused _ when ports.contains(wanted) -> new OtherAddress();
      case Probe.Refused _ when !ports.isEmpty() -> new Elsewhere(Set.copyOf(ports), wanted);
      case Probe.Refused _, Probe.Silent _, Probe.Broken _ -> new Unclear();
    };
  }
}
