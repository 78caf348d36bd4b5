package dev.slipway.dashboard;

import dev.slipway.account.Role;
import dev.slipway.account.SignedIn;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Times, sizes and numbers as pages show them. */
public final class Shown {
  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ENGLISH).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);
  private static final List<String> BYTES = List.of("B", "kB", "MB", "GB", "TB");
  private static final int ID_HEAD = 8;
  private static final int ID_TAIL = 4;

  private Shown() {}

  /** For machines. */
  public static String iso(Instant time) {
    return time.toString();
  }

  public static String utc(Instant time) {
    return UTC.format(time);
  }

  /** The time of day alone. */
  public static String clock(Instant time) {
    return CLOCK.format(time);
  }

  /**
   * How long ago it is, or how long it will be; the script of the pages says it in the same way.
   */
  public static String relative(Instant time) {
    long seconds = Duration.between(time, Instant.now()).toSeconds();
    boolean past = seconds >= 0;
    long away = Math.abs(seconds);
    if (away < 45) {
      return past ? "just now" : "in a moment";
    }
    if (away >= 30 * 86_400) {
      return DAY.format(time);
    }
    String span =
        away < 45 * 60
            ? Math.max(1, Math.round(away / 60.0)) + " min"
            : away < 22 * 3600
                ? Math.max(1, Math.round(away / 3600.0)) + " h"
                : Math.max(1, Math.round(away / 86_400.0)) + " d";
    return past ? span + " ago" : "in " + span;
  }

  public static String duration(Duration duration) {
    double seconds = duration.toMillis() / 1000.0;
    if (seconds < 1) {
      return duration.toMillis() + " ms";
    }
    if (seconds < 60) {
      return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    }
    return duration.toHours() > 0
        ? "%d h %02d min".formatted(duration.toHours(), duration.toMinutesPart())
        : "%d min %02d s".formatted(duration.toMinutes(), duration.toSecondsPart());
  }

  /** With thousands apart. */
  public static String number(long number) {
    return String.format(Locale.ENGLISH, "%,d", number);
  }

  /** In powers of a thousand. */
  public static String bytes(long bytes) {
    double left = bytes;
    int unit = 0;
    while (left >= 1000 && unit < BYTES.size() - 1) {
      left /= 1000;
      unit++;
    }
    return String.format(
        Locale.ROOT, unit == 0 || left >= 100 ? "%.0f %s" : "%.1f %s", left, BYTES.get(unit));
  }

  /** As limits of memory are written: in units of 1024 times 1024 bytes. */
  public static String mebibytes(long bytes) {
    return number(Math.round(bytes / 1048576.0)) + " MB";
  }

  public static String millis(double millis) {
    return millis < 1
        ? String.format(Locale.ROOT, "%.1f ms", millis)
        : duration(Duration.ofMillis(Math.round(millis)));
  }

  /** Enough of an identifier to know it again. */
  public static String id(String id) {
    return id.length() < ID_HEAD + ID_TAIL + 2
        ? id
        : id.substring(0, ID_HEAD) + "…" + id.substring(id.length() - ID_TAIL);
  }

  /** The same as short as it can be, among a few. */
  public static String tail(String id) {
    return id.substring(Math.max(0, id.length() - ID_TAIL));
  }

  /** The first seven digits of a commit. */
  public static String commit(String sha) {
    return sha.substring(0, Math.min(7, sha.length()));
  }

  /** The first line of a commit's message. */
  public static String headline(String message) {
    return message
        .lines()
        .findFirst()
        .map(String::strip)
        .filter(it -> !it.isEmpty())
        .orElse("(no message)");
  }

  /** As it may stand in the query of an address. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** As a framework calls itself. */
  public static String framework(String name) {
    return switch (name) {
      case "nextjs" -> "Next.js";
      case "react-vite" -> "React with Vite";
      case "node-express" -> "Node.js";
      case "python-fastapi" -> "FastAPI";
      default -> name;
    };
  }

  /** What he calls himself, else his address. */
  public static String name(SignedIn who) {
    return who.name().isEmpty() ? who.email() : who.name();
  }

  /** One or two letters. */
  public static String initials(SignedIn who) {
    String[] words = name(who).strip().split("[\\s.@_-]+", 3);
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < Math.min(2, words.length); i++) {
      if (!words[i].isEmpty()) {
        letters.appendCodePoint(Character.toUpperCase(words[i].codePointAt(0)));
      }
    }
    return letters.toString();
  }

  public static String role(Role role) {
    return switch (role) {
      case OWNER -> "Owner";
      case MEMBER -> "Member";
      case VIEWER -> "Viewer";
    };
  }
}
