package dev.slipway.api;

import dev.slipway.deployment.ProgramLog;
import dev.slipway.deployment.ProgramPlaces;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What there is to read of a deployment, as {@code stream} says: of its build, or its program. */
final class DeploymentLogs {
  private final LogAnswers logs;

  DeploymentLogs(LogAnswers logs) {
    this.logs = logs;
  }

  static void check(Call call, Faults faults) {
    if (!wantsProgram(call)) {
      EventStreams.check(call, faults, RunLogCursor::isEventId);
      return;
    }
    if (call.query("after").isPresent() || call.query("limit").isPresent()) {
      faults.add(
          "stream", "app has no pages; leave out after and limit, or follow it as an event stream");
    }
    EventStreams.check(call, faults, id -> ProgramPlaces.parse(id).isPresent());
  }

  private static boolean wantsProgram(Call call) {
    return call.query("stream").filter("app"::equals).isPresent();
  }

  /**
   * @param logId of the build
   * @param program what the program prints, from these places on
   */
  Answer answer(Call call, Supplier<String> logId, Function<ProgramPlaces, ProgramLog> program)
      throws InterruptedException {
    if (!wantsProgram(call)) {
      return logs.answer(call, logId.get());
    }
    if (!EventStreams.wanted(call)) {
      ProgramLog printed = program.apply(ProgramPlaces.begin());
      return logs.write(call, new ProgramLogCursor(printed), Optional.empty(), false);
    }
    ProgramPlaces places =
        EventStreams.lastEventId(call)
            .flatMap(ProgramPlaces::parse)
            .orElseGet(ProgramPlaces::begin);
    return logs.follow(call, new ProgramLogCursor(program.apply(places)));
  }
}
