package dev.slipway.edge;

import dev.slipway.accesslog.AccessLog;
import dev.slipway.metric.TrafficMeters;

/** What is written down of the requests at the ports, and where they are counted. */
public record EdgeRecords(AccessLog accessLog, TrafficMeters meters) {
  /** Counted for nobody, and not written. */
  public static EdgeRecords none() {
    return new EdgeRecords(AccessLog.off(), new TrafficMeters());
  }
}
