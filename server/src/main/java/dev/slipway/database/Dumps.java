package dev.slipway.database;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Copies what is in databases, by the programs that come with their servers. Each call blocks until
 * it is done, for as long as it takes; interrupting the thread ends the programs at once. Passwords
 * are on no command line and in no file that stays.
 *
 * <p>All of them throw {@link dev.slipway.core.AppFailure} {@code DATABASE_FAILED} with what is
 * wrong and what to do: a program is missing, or too old for that server, or what it said.
 */
public interface Dumps {
  /**
   * Writes all of a database to a file that does not exist yet (mode 0600); whole or not at all.
   *
   * @param progress a sentence from time to time
   * @return the file's size in bytes
   */
  long backup(DatabaseLink from, Path file, Consumer<String> progress) throws InterruptedException;

  /** Fills an empty database from such a file. */
  void restore(Path file, DatabaseLink into, Consumer<String> progress) throws InterruptedException;

  /** Fills an empty database with schema and rows of another one, which only has to be readable. */
  void copy(DatabaseLink from, DatabaseLink into, Consumer<String> progress)
      throws InterruptedException;
}
