package dev.slipway.source.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;

/**
 * One repository where it comes from. Calls may block on the network; the repositories that they
 * answer are read, never changed, and closed by the caller.
 */
interface Origin {
  /** The branches, by name, with their newest commits. */
  Map<String, ObjectId> branches() throws IOException;

  /**
   * A repository on disk that holds every commit of the branch, though perhaps no files.
   *
   * @param scratch does not exist yet; what has to be downloaded is put there
   */
  Repository history(String branch, Path scratch) throws IOException;

  /**
   * A repository on disk that holds this commit and its files, if the origin has it on any branch
   * that it lets us see.
   *
   * @param branch all of which is fetched from a server that hands out no single commits
   * @param scratch does not exist yet; what has to be downloaded is put there
   */
  Repository commit(Optional<String> branch, String sha, Path scratch) throws IOException;

  /** The last HTTP status of git itself, 0 where no server answered. */
  int lastStatus();

  /** Where this repository keeps the files that it has pointers to. */
  LargeFiles largeFiles();
}
