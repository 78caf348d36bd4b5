package dev.slipway.migration;

import dev.slipway.build.DryRun;
import dev.slipway.core.AccountId;
import dev.slipway.core.AppFailure;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RequestException;
import dev.slipway.framework.BuildPlan;
import dev.slipway.source.Source;
import dev.slipway.source.SourceHosts;
import dev.slipway.source.SourceRef;
import dev.slipway.upload.Uploads;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What a migration would do, found out without one. Thread-safe. */
public final class DryRuns {
  /** What may be otherwise the next time, without any change of the application. */
  private static final Set<FailureCode> PASSING =
      EnumSet.of(FailureCode.SOURCE_UNREACHABLE, FailureCode.DISK_FULL);

  private final SourceHosts hosts;
  private final Uploads uploads;
  private final DryRun dryRun;

  public DryRuns(SourceHosts hosts, Uploads uploads, DryRun dryRun) {
    this.hosts = hosts;
    this.uploads = uploads;
    this.dryRun = dryRun;
  }

  /**
   * The plan of the migration's first build; blocks for up to a minute.
   *
   * @throws RequestException {@code INVALID_REQUEST} with the sentence of the failure where the
   *     build would fail before its first step; {@code UNAVAILABLE} where that, or the time, is the
   *     moment's fault; {@code NOT_FOUND}, {@code FORBIDDEN} for the archive
   */
  public BuildPlan plan(AccountId account, MigrationService.Request request)
      throws InterruptedException {
    try {
      return dryRun.plan(
          account,
          source(account, request),
          request.settings().overrides(),
          request.env().values().keySet());
    } catch (AppFailure e) {
      ErrorCode code =
          PASSING.contains(e.failure().code()) ? ErrorCode.UNAVAILABLE : ErrorCode.INVALID_REQUEST;
      throw new RequestException(code, e.failure().message());
    }
  }

  private Source source(AccountId account, MigrationService.Request request) {
    if (request.upload().isPresent()) {
      return uploads.source(account, request.upload().get());
    }
    return hosts.source(
        request.source(),
        account,
        new SourceRef(
            request.repo().orElseThrow(),
            request.settings().branch().orElseThrow(),
            Optional.empty()));
  }
}
