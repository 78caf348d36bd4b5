package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * What a browser is among people, made of what it says of itself: a guess, for somebody who looks
 * for the session that is not his.
 */
final class BrowserName {
  // Most claim to be others too: whoever comes first here is meant.
  private static final List<Sign> BROWSERS =
      List.of(
          new Sign("Edg", "Edge"),
          new Sign("OPR/", "Opera"),
          new Sign("Firefox/", "Firefox"),
          new Sign("FxiOS/", "Firefox"),
          new Sign("CriOS/", "Chrome"),
          new Sign("Chrome/", "Chrome"),
          new Sign("Safari/", "Safari"),
          new Sign("curl/", "curl"));

  private static final List<Sign> SYSTEMS =
      List.of(
          new Sign("iPhone", "iPhone"),
          new Sign("iPad", "iPad"),
          new Sign("Android", "Android"),
          new Sign("Windows", "Windows"),
          new Sign("Mac OS X", "macOS"),
          new Sign("CrOS", "ChromeOS"),
          new Sign("Linux", "Linux"));

  private BrowserName() {}

  private record Sign(String text, String name) {}

  /** For example {@code Firefox on Linux}; else what it says, which is untrusted. */
  static String of(String userAgent) {
    Optional<String> browser = find(BROWSERS, userAgent);
    Optional<String> system = find(SYSTEMS, userAgent);
    if (browser.isEmpty()) {
      return userAgent.isBlank() ? "Unknown browser" : userAgent;
    }
    return system.map(it -> browser.get() + " on " + it).orElse(browser.get());
  }

  private static Optional<String> find(List<Sign> signs, String userAgent) {
    return signs.stream()
        .filter(sign -> userAgent.contains(sign.text()))
        .findFirst()
        .map(Sign::name);
  }
}
