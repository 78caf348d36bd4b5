package dev.slipway.edge;

import io.netty.buffer.ByteBuf;

/**
 * Follows a request's head line by line and finds what the decoder forgives: a request line whose
 * parts are not parted by one blank each or that holds control characters, a header without a name,
 * and one that goes on in the next line (RFC 9112, 3 and 5).
 */
final class HeadLines {
  private static final int BLANKS = 2;

  private boolean begun;
  private boolean broken;

  /**
   * @param from where a line begins
   * @param to where one ends
   */
  void follow(ByteBuf bytes, int from, int to) {
    int begin = from;
    while (begin < to && !broken) {
      int feed = bytes.indexOf(begin, to, (byte) '\n');
      int end = feed < 0 ? to : feed;
      if (begun) {
        byte first = bytes.getByte(begin);
        broken = first == ' ' || first == '\t' || first == ':';
      } else {
        requestLine(bytes, begin, end);
      }
      begin = end + 1;
    }
  }

  boolean isBroken() {
    return broken;
  }

  private void requestLine(ByteBuf bytes, int begin, int end) {
    int last = end > begin && bytes.getByte(end - 1) == '\r' ? end - 1 : end;
    if (last == begin) {
      return; // Empty lines before a request are allowed.
    }
    begun = true;
    int blanks = 0;
    byte before = ' ';
    for (int at = begin; at < last && !broken; at++) {
      byte next = bytes.getByte(at);
      if (next == ' ') {
        blanks++;
        broken = before == ' ';
      } else {
        broken = (next >= 0 && next < ' ') || next == 0x7f;
      }
      before = next;
    }
    broken |= blanks != BLANKS;
  }
}
