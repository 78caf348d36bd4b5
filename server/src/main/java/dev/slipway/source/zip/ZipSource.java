package dev.slipway.source.zip;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.sandbox.Trees;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import dev.slipway.source.FetchCount;
import dev.slipway.source.FetchLimit;
import dev.slipway.source.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The files of one archive. */
public final class ZipSource implements Source {
  private static final long MAX_BYTES = 2L << 30;

  private final Path archive;
  private final Commit commit;
  private final FetchLimit limit;

  /**
   * @param commit what the archive is called in the deployment
   */
  public ZipSource(Path archive, Commit commit, FetchLimit limit) {
    this.archive = archive;
    this.commit = commit;
    this.limit = limit;
  }

  @Override
  public String resolve() {
    if (!Files.exists(archive)) {
      throw new AppFailure(
          FailureCode.UPLOAD_EXPIRED,
          "The archive of this deployment is not kept any more: upload it again.");
    }
    return commit.sha();
  }

  /**
   * @throws AppFailure {@code ARCHIVE_REFUSED}, which names the entry that is at fault; {@code
   *     DISK_LIMIT}, {@code DISK_FULL}
   * @throws java.util.concurrent.CancellationException on interruption
   */
  @Override
  public Checkout fetch(String sha, Path directory) {
    Path partial = directory.resolveSibling(directory.getFileName() + ".partial");
    try {
      Trees.delete(partial);
      Files.createDirectories(partial);
      try (Archive opened = Archive.open(archive)) {
        new Extraction(opened, partial, MAX_BYTES, new FetchCount(limit)).run();
      }
      Files.move(partial, directory, StandardCopyOption.ATOMIC_MOVE);
      return new Checkout(directory, commit);
    } catch (IOException e) {
      Archive.requireUninterrupted();
      throw new UncheckedIOException("unpacking to " + directory + " failed", e);
    } finally {
      Trees.delete(partial);
    }
  }
}
