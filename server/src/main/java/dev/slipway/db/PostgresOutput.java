package dev.slipway.db;

import java.lang.ProcessBuilder.Redirect;

/** Where the lines go that a postmaster writes. */
interface PostgresOutput {
  Redirect target();

  /** The postmaster was started with that target. */
  void begins(Process process);

  /** What it said last, to explain a failed start; after its end all of it. */
  String lastWords();
}
