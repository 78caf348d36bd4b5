package dev.slipway.hook;

import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** One kind of things that git hosts are told about. Calls run in the caller's transaction. */
interface Topic {
  /** Whether the id is that of one of them. */
  boolean covers(String id);

  /** What is to be told about one of them now; empty where nothing is. */
  Optional<Words> words(Handle tx, String id);

  /** Keeps by what the comment about it is found again. */
  void commented(Handle tx, String id, String comment);
}
