package dev.slipway.edge;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import java.util.Objects;

/** Finds out that a client takes nothing of what lies here for it. On its event loop. */
final class Untaken {
  private final Channel channel;
  private final long limitNanos;
  private long movedNanos = System.nanoTime();
  private int mark;

  Untaken(Channel channel, Duration limit) {
    this.channel = channel;
    this.limitNanos = limit.toNanos();
  }

  /** Whether it has taken nothing for too long. To be asked every now and then. */
  boolean isOver(long now) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    if (waiting == null || waiting.totalPendingWriteBytes() == 0) {
      movedNanos = now;
      return false;
    }
    int present =
        Objects.hash(
            System.identityHashCode(waiting.current()),
            waiting.currentProgress(),
            waiting.totalPendingWriteBytes());
    if (present != mark) {
      mark = present;
      movedNanos = now;
    }
    return now - movedNanos > limitNanos;
  }
}
