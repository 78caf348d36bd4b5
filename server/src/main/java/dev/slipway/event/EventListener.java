package dev.slipway.event;

import java.util.List;
import org.jdbi.v3.core.Handle;

/** Told of every event once, in the one order that they have for everybody. */
public interface EventListener {
  /**
   * In the transaction in which the events get their places: what it writes is written for all of
   * them, or none has its place yet and it is told again.
   */
  void placed(Handle tx, List<Event> events);
}
