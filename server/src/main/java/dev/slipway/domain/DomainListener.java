package dev.slipway.domain;

import org.jdbi.v3.core.Handle;

/** Told of what happens to a domain in the very transaction in which it does. */
public interface DomainListener {
  /** Its DNS leads here: visitors are served from now on. */
  void active(Handle tx, Domain domain);
}
