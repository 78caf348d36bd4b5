package dev.slipway.accesslog;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines of JSON, field after field, without leaving garbage: each is in the file at most
 * moments after {@link #flush}. What is not printable ASCII is escaped, so that a line is one line
 * wherever it is shown. For one thread.
 */
public final class AccessLines {
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.").withZone(ZoneOffset.UTC);
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TIME = name("time");

  /** What one line takes at most, with all its texts at their limits and escaped. */
  private static final int MAX_LINE_BYTES = 24 << 10;

  private static final int MAX_DIGITS = 20;

  private final AccessLog log;
  private final byte[] digits = new byte[MAX_DIGITS];
  private AccessLog.Block block;
  private byte[] bytes;
  private int at;
  private long second = Long.MIN_VALUE;
  private byte[] secondText = new byte[0];

  AccessLines(AccessLog log) {
    this.log = log;
    this.block = log.block();
    this.bytes = block.bytes;
  }

  /** A field's name, to be made once. */
  public static byte[] name(String name) {
    return ("\"" + name + "\":").getBytes(StandardCharsets.US_ASCII);
  }

  /** Begins a line with the time. */
  public void begin(long epochMillis) {
    at = block.length;
    bytes[at++] = '{';
    put(TIME);
    bytes[at++] = '"';
    long present = Math.floorDiv(epochMillis, 1000L);
    if (present != second) {
      second = present;
      secondText =
          SECOND.format(Instant.ofEpochSecond(present)).getBytes(StandardCharsets.US_ASCII);
    }
    put(secondText);
    thousandths((int) Math.floorMod(epochMillis, 1000L));
    bytes[at++] = 'Z';
    bytes[at++] = '"';
  }

  /** A text of which no more than {@code max} characters are written; nothing where it is null. */
  public void text(byte[] name, @Nullable String value, int max) {
    if (value == null) {
      return;
    }
    field(name);
    bytes[at++] = '"';
    int end = Math.min(value.length(), max);
    if (!copied(value, end)) {
      for (int i = 0; i < end; i++) {
        character(value.charAt(i));
      }
    }
    bytes[at++] = '"';
  }

  /** Writes it as it is, where nothing in it is to be escaped: nearly always, and much faster. */
  @SuppressWarnings("deprecation") // The lower byte alone: heads of requests have no others.
  private boolean copied(String value, int end) {
    value.getBytes(0, end, bytes, at);
    boolean plain = true;
    for (int i = at; i < at + end; i++) {
      byte next = bytes[i];
      plain &= next >= ' ' && next != '"' && next != '\\' && next != 0x7f;
    }
    if (plain) {
      at += end;
    }
    return plain;
  }

  private void character(char next) {
    if (next == '"' || next == '\\') {
      bytes[at++] = '\\';
      bytes[at++] = (byte) next;
    } else if (next >= ' ' && next < 0x7f) {
      bytes[at++] = (byte) next;
    } else {
      bytes[at++] = '\\';
      bytes[at++] = 'u';
      for (int shift = 12; shift >= 0; shift -= 4) {
        bytes[at++] = HEX[(next >> shift) & 0xf];
      }
    }
  }

  public void number(byte[] name, long value) {
    field(name);
    digits(value);
  }

  /** A time in milliseconds, to the thousandth. */
  public void millis(byte[] name, long nanos) {
    field(name);
    long micros = TimeUnit.NANOSECONDS.toMicros(Math.max(0, nanos));
    digits(micros / 1000);
    bytes[at++] = '.';
    thousandths((int) (micros % 1000));
  }

  public void yes(byte[] name) {
    field(name);
    put("true".getBytes(StandardCharsets.US_ASCII));
  }

  /** Ends the line. */
  public void end() {
    bytes[at++] = '}';
    bytes[at++] = '\n';
    block.length = at;
    block.lines++;
    if (bytes.length - at < MAX_LINE_BYTES) {
      flush();
    }
  }

  /** Hands over what has been written. To be called now and then. */
  public void flush() {
    if (block.lines > 0) {
      block = log.handOver(block);
      bytes = block.bytes;
    }
  }

  private void field(byte[] name) {
    bytes[at++] = ',';
    put(name);
  }

  private void put(byte[] text) {
    System.arraycopy(text, 0, bytes, at, text.length);
    at += text.length;
  }

  private void thousandths(int value) {
    bytes[at++] = (byte) ('0' + value / 100);
    bytes[at++] = (byte) ('0' + value / 10 % 10);
    bytes[at++] = (byte) ('0' + value % 10);
  }

  private void digits(long value) {
    long rest = value;
    if (rest < 0) {
      bytes[at++] = '-';
      rest = -rest;
    }
    int count = 0;
    do {
      digits[count++] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    while (count > 0) {
      bytes[at++] = digits[--count];
    }
  }
}
