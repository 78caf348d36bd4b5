package dev.slipway.edge;

import io.netty.buffer.ByteBuf;

/**
 * Follows a chunked body (RFC 9112, 7.1) and finds what the decoder forgives: blanks around a size,
 * one that is too large for its counter, line ends of one character. The decoder takes no
 * extensions either, which nobody sends. Reads the lines alone and passes over the data.
 */
final class ChunkLines {
  private static final int MOST_DIGITS = 16;

  private enum Place {
    SIZE,
    LINE_END,
    DATA,
    DATA_RETURN,
    DATA_END,
    TRAILERS,
    BROKEN
  }

  private Place place = Place.SIZE;
  private int digits;
  private long size;

  /** Whether all is well up to the end of these bytes, which follow those of the call before. */
  boolean follow(ByteBuf bytes, int from, int to) {
    int next = from;
    while (next < to && place != Place.TRAILERS && place != Place.BROKEN) {
      if (place == Place.DATA) {
        long passed = Math.min(size, to - next);
        size -= passed;
        next += Math.toIntExact(passed);
        place = size == 0 ? Place.DATA_RETURN : Place.DATA;
      } else {
        place = after(bytes.getByte(next));
        next++;
      }
    }
    return place != Place.BROKEN;
  }

  private Place after(byte next) {
    return switch (place) {
      case SIZE -> inSize(next);
      case LINE_END -> next == '\n' ? afterSizeLine() : Place.BROKEN;
      case DATA_RETURN -> next == '\r' ? Place.DATA_END : Place.BROKEN;
      case DATA_END -> next == '\n' ? Place.SIZE : Place.BROKEN;
      case DATA, TRAILERS, BROKEN -> place;
    };
  }

  private Place inSize(byte next) {
    int digit = Character.digit(next, 16);
    if (digit < 0) {
      return digits > 0 && next == '\r' ? Place.LINE_END : Place.BROKEN;
    }
    digits++;
    size = size * 16 + digit;
    return digits > MOST_DIGITS || size > Integer.MAX_VALUE ? Place.BROKEN : Place.SIZE;
  }

  private Place afterSizeLine() {
    digits = 0;
    return size == 0 ? Place.TRAILERS : Place.DATA;
  }
}
