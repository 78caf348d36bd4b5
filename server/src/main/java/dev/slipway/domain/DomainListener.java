package dev.slipway.domain;

import org.jdbi.v3.core.Handle;

/** Told of what happens to domains in the very transaction in which it does. */
public interface DomainListener {
  /** The DNS of a domain leads here: visitors are served from now on. */
  void active(Handle tx, Domain domain);

  /** Other domains may be served than before: some are gone, or have failed. */
  void changed(Handle tx);

  /** Nobody. */
  DomainListener NOBODY =
      new DomainListener() {
        @Override
        public void active(Handle tx, Domain domain) {}

        @Override
        public void changed(Handle tx) {}
      };
}
