package dev.slipway.database.mysql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a dump, without what belongs to the database that it was: who defined its views,
 * triggers, routines and events (only an administrator may give such things to somebody else, so
 * they become the reader's), and its name. Each of these stands at the beginning of a line, where
 * no row does. Not thread-safe.
 */
final class DumpText extends InputStream {
  /** Quoted as the mode of whoever made the thing has it, or not at all. */
  private static final String NAME = "(?:`(?:[^`]|``)*`|\"(?:[^\"]|\"\")*\"|[A-Za-z0-9_$%.]+)";

  private static final Pattern DEFINER =
      Pattern.compile(
          "^((?:CREATE (?:OR REPLACE )?|/\\*!50013 |/\\*!50003 CREATE "
              + "|/\\*!50003 CREATE\\*/ /\\*!500(?:17|20) |/\\*!50106 CREATE\\*/ /\\*!50117 ))"
              + "DEFINER="
              + NAME
              + "(?:@"
              + NAME
              + ")? ?");

  private static final Pattern DATABASE =
      Pattern.compile("^(ALTER DATABASE )" + NAME + " (?=CHARACTER SET)");

  /** Of newer programs, to the client, which is told that otherwise; older ones fail at it. */
  private static final Pattern SANDBOX = Pattern.compile("^/\\*M?!999999\\\\- [^\\n]*");

  /** What is looked for stands within the first few bytes. */
  private static final int HEAD = 600;

  private static final int BUFFER = 64 << 10;
  private static final byte[] NOTHING = {};

  private final InputStream from;
  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int end;
  private boolean lineBegins = true;
  private byte[] changed = NOTHING;
  private int changedAt;

  DumpText(InputStream from) {
    this.from = from;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /** Answers a line at most. */
  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (lineBegins && changedAt == changed.length) {
      changeHead();
    }
    if (changedAt < changed.length) {
      int count = Math.min(length, changed.length - changedAt);
      System.arraycopy(changed, changedAt, into, offset, count);
      changedAt += count;
      return count;
    }
    if (at == end && !fill()) {
      return -1;
    }
    int count = lineEnd(Math.min(end, at + length)) - at;
    System.arraycopy(buffer, at, into, offset, count);
    at += count;
    lineBegins = buffer[at - 1] == '\n';
    return count;
  }

  /** The line's end is left as it is. */
  private void changeHead() throws IOException {
    while (end - at < HEAD && fill()) {
      // until all of the head is there
    }
    lineBegins = false;
    if (at < end && "CA/".indexOf(buffer[at]) >= 0) {
      int stop = lineEnd(Math.min(end, at + HEAD));
      String head = new String(buffer, at, stop - at, StandardCharsets.ISO_8859_1);
      changed = changed(head).getBytes(StandardCharsets.ISO_8859_1);
      changedAt = 0;
      at = stop;
      lineBegins = buffer[stop - 1] == '\n';
    }
  }

  private static String changed(String head) {
    Matcher definer = DEFINER.matcher(head);
    if (definer.find()) {
      return definer.replaceFirst("$1");
    }
    return SANDBOX.matcher(DATABASE.matcher(head).replaceFirst("$1")).replaceFirst("");
  }

  /** Behind the next line feed, or the limit. */
  private int lineEnd(int limit) {
    for (int i = at; i < limit; i++) {
      if (buffer[i] == '\n') {
        return i + 1;
      }
    }
    return limit;
  }

  /** Whether there was more. */
  private boolean fill() throws IOException {
    System.arraycopy(buffer, at, buffer, 0, end - at);
    end -= at;
    at = 0;
    int read = from.read(buffer, end, BUFFER - end);
    end += Math.max(read, 0);
    return read > 0;
  }

  @Override
  public void close() throws IOException {
    from.close();
  }
}
