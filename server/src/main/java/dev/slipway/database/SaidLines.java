package dev.slipway.database;

import dev.slipway.core.Secret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What a program says: its first lines and its last ones, and of each its beginning, since a server
 * that is not ours decides how much there is. Read by one thread, asked by any.
 */
final class SaidLines {
  private static final int FIRST = 4;
  private static final int LAST = 8;
  private static final int SHOWN_CHARACTERS = 500;

  /** More than is shown: what is hidden in it must be whole. */
  private static final int KEPT_BYTES = 4096;

  private final List<String> first = new ArrayList<>();
  private final Deque<String> last = new ArrayDeque<>();

  /** Reads to the end. */
  void read(InputStream from) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] buffer = new byte[KEPT_BYTES];
    try (from) {
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        for (int i = 0; i < read; i++) {
          if (buffer[i] == '\n') {
            keep(line.toString(StandardCharsets.UTF_8));
            line.reset();
          } else if (line.size() < KEPT_BYTES) {
            line.write(buffer[i]);
          }
        }
      }
      if (line.size() > 0) {
        keep(line.toString(StandardCharsets.UTF_8));
      }
    } catch (IOException brokenOff) {
      keep("the rest of what it said was lost");
    }
  }

  private synchronized void keep(String line) {
    if (first.size() < FIRST) {
      first.add(line);
      return;
    }
    last.addLast(line);
    if (last.size() > LAST) {
      last.removeFirst();
    }
  }

  synchronized List<String> masked(List<Secret> secrets) {
    List<String> all = new ArrayList<>(first);
    all.addAll(last);
    return all.stream().map(line -> masked(line, secrets)).toList();
  }

  private static String masked(String line, List<Secret> secrets) {
    String masked = line;
    for (Secret secret : secrets) {
      masked = secret.reveal().isEmpty() ? masked : masked.replace(secret.reveal(), "***");
    }
    return masked.length() > SHOWN_CHARACTERS
        ? masked.substring(0, SHOWN_CHARACTERS) + "…"
        : masked;
  }
}
