package dev.slipway.project;

import java.security.SecureRandom;
import java.util.Locale;
import java.util.Set;

/**
 * The part of a host name that stands for a project, and the one for a single deployment.
 *
 * <p>Source: API decisions, "Migration" (project name) and "Deployment" (preview_url).
 */
public final class Label {
  private static final int MAX_LENGTH = 40;
  private static final int MAX_DNS_LENGTH = 63;
  private static final String DIGITS = "abcdefghijkmnpqrstuvwxyz23456789";
  private static final int PREVIEW_DIGITS = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Names that an operator's own services may want, or that look like ours. */
  private static final Set<String> RESERVED =
      Set.of(
          "www",
          "api",
          "app",
          "apps",
          "admin",
          "dashboard",
          "docs",
          "mail",
          "smtp",
          "imap",
          "ftp",
          "ns1",
          "ns2",
          "slipway",
          "status",
          "static",
          "assets",
          "cdn",
          "localhost",
          "healthz");

  private Label() {}

  /** The slug of a name: letters, digits and single dashes, at most 40 characters, never empty. */
  public static String of(String name) {
    String slug =
        name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    if (slug.length() > MAX_LENGTH) {
      slug = slug.substring(0, MAX_LENGTH).replaceAll("-+$", "");
    }
    if (slug.isEmpty()) {
      return "app";
    }
    return RESERVED.contains(slug) ? slug + "-app" : slug;
  }

  /** The same label made different, for one that is taken. */
  public static String withSuffix(String label) {
    String suffix = "-" + random(4);
    int room = MAX_LENGTH - suffix.length();
    String stem = label.length() > room ? label.substring(0, room) : label;
    return stem.replaceAll("-+$", "") + suffix;
  }

  /** An address that cannot be guessed, of one deployment: 80 random bits. */
  public static String ofPreview(String projectLabel) {
    return projectLabel + "--" + random(PREVIEW_DIGITS);
  }

  /**
   * An address that cannot be guessed, of one pull request: 80 random bits. It is no longer than a
   * part of a host name may be.
   */
  public static String ofPullRequest(String projectLabel, int number) {
    String end = "--pr-%d-%s".formatted(number, random(PREVIEW_DIGITS));
    int room = MAX_DNS_LENGTH - end.length();
    String stem = projectLabel.length() > room ? projectLabel.substring(0, room) : projectLabel;
    return stem.replaceAll("-+$", "") + end;
  }

  private static String random(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(DIGITS.charAt(RANDOM.nextInt(DIGITS.length())));
    }
    return text.toString();
  }
}
