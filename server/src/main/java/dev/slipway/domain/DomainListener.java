package dev.slipway.domain;

import org.jdbi.v3.core.Handle;

/** Told of what happens to domains in the very transaction in which it does. */
public interface DomainListener {
  /** The DNS of a domain leads here: visitors are served from now on. */
  default void active(Handle tx, Domain domain) {}

  /** The DNS of a domain has led elsewhere for days: it is given up for now. */
  default void failed(Handle tx, Domain domain) {}

  /** Other domains may be served than before: some are gone, or have failed. */
  default void changed(Handle tx) {}
}
