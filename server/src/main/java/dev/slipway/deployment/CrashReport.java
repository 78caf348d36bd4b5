package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.db.Database;
import dev.slipway.instance.Crash;
import dev.slipway.instance.Started;
import dev.slipway.project.Crashing;
import dev.slipway.project.CrashingStore;
import dev.slipway.runlog.Masker;
import java.time.Clock;

/**
 * Tells the owner of a program that it crashes again and again, until it does no more: beside what
 * the API says of project and deployment, and in the log of what the program prints.
 */
final class CrashReport {
  private static final String WHAT_NOW =
      " That was %d times in a row. It is tried again every %d minutes, and at once by a restart or a deployment."
          .formatted(CrashCount.MANY, CrashCount.SLOW.toMinutes());

  private final Database database;
  private final Records records;
  private final Variables variables;
  private final Clock clock;

  CrashReport(Database database, Records records, Variables variables, Clock clock) {
    this.database = database;
    this.records = records;
    this.variables = variables;
    this.clock = clock;
  }

  /** Why a program is not kept running, as its owner may read it once it is masked. */
  static Started.Failed cause(Crash crash) {
    return new Started.Failed(
        crash.exit().outOfMemory()
            ? new Failure(
                FailureCode.OUT_OF_MEMORY,
                "The program needed more memory than its instance type has and was ended; choose a larger instance_type.")
            : new Failure(
                FailureCode.START_FAILED,
                "The program ended with status %d %d s after its start."
                    .formatted(crash.exit().status(), crash.lasted().toSeconds())),
        crash.lastLines());
  }

  /** It is left alone for a while from now on. */
  void crashing(DeploymentId id, Started.Failed cause) {
    Masker masker = database.read(tx -> variables.masker(tx, id));
    Failure failure =
        new Failure(cause.failure().code(), masker.mask(cause.failure().message()) + WHAT_NOW);
    CrashingStore.Report report =
        new CrashingStore.Report(
            InstanceId.next(),
            new Crashing(clock.instant(), failure),
            cause.lastLines().stream().map(masker::mask).toList());
    database.useTransaction(tx -> records.crashing().begin(tx, id, report));
  }

  /** It has been running for a while. */
  void over(DeploymentId id) {
    database.useTransaction(tx -> records.crashing().end(tx, id));
  }
}
