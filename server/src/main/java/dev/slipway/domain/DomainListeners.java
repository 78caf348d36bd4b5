package dev.slipway.domain;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jdbi.v3.core.Handle;

/** All who are told of domains, in the order in which they were named. Thread-safe. */
final class DomainListeners implements DomainListener {
  private final List<DomainListener> all = new CopyOnWriteArrayList<>();

  void add(DomainListener listener) {
    all.add(listener);
  }

  @Override
  public void active(Handle tx, Domain domain) {
    all.forEach(listener -> listener.active(tx, domain));
  }

  @Override
  public void failed(Handle tx, Domain domain) {
    all.forEach(listener -> listener.failed(tx, domain));
  }

  @Override
  public void changed(Handle tx) {
    all.forEach(listener -> listener.changed(tx));
  }
}
