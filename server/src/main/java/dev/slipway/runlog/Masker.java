package dev.slipway.runlog;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Replaces secrets in text by {@value #MASK}: each value of 8 characters or more that is no usual
 * word, the lines of one with several, and their URL-encoded and base64 forms. Source: API
 * decisions, "Logs".
 */
public final class Masker {
  public static final String MASK = "[masked]";
  private static final int MIN_LENGTH = 8;

  /** Of NODE_ENV and the like, and words that programs print all the time. */
  private static final Set<String> NO_SECRETS = Set.of("production", "development");

  // The program base64, and PEM.
  private static final List<Integer> BASE64_COLUMNS = List.of(76, 64);

  private final List<String> needles;

  public Masker(Collection<String> secrets) {
    Set<String> forms = new LinkedHashSet<>();
    for (String secret : secrets) {
      addForms(secret, forms);
      secret.lines().map(String::strip).forEach(line -> addForms(line, forms));
    }
    // The longest first: a value that contains another must not be left half readable.
    needles = forms.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
  }

  private static void addForms(String secret, Set<String> forms) {
    if (secret.length() < MIN_LENGTH || NO_SECRETS.contains(secret)) {
      return;
    }
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    forms.add(secret);
    String form = URLEncoder.encode(secret, StandardCharsets.UTF_8);
    forms.add(form);
    forms.add(form.replace("+", "%20"));
    forms.add(asJavaScriptEncodes(form));
    String base64 = Base64.getEncoder().encodeToString(bytes);
    forms.add(base64);
    BASE64_COLUMNS.forEach(columns -> addLines(base64, columns, forms));
    forms.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
    forms.add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** As programs print it that break their lines. */
  private static void addLines(String base64, int columns, Set<String> forms) {
    for (int begin = 0; base64.length() - begin >= MIN_LENGTH; begin += columns) {
      forms.add(base64.substring(begin, Math.min(base64.length(), begin + columns)));
    }
  }

  /** What {@code encodeURIComponent} makes of it: some characters more stay as they are. */
  private static String asJavaScriptEncodes(String form) {
    return form.replace("+", "%20")
        .replace("%21", "!")
        .replace("%27", "'")
        .replace("%28", "(")
        .replace("%29", ")")
        .replace("%7E", "~");
  }

  public String mask(String text) {
    String masked = text;
    for (String needle : needles) {
      if (masked.contains(needle)) {
        masked = masked.replace(needle, MASK);
      }
    }
    return masked;
  }
}
