package dev.slipway.source.zip;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;

/** What is said of an archive that is not taken. */
final class Refused {
  private static final int MOST_CHARACTERS = 200;

  private Refused() {}

  /**
   * @param what completes the sentence that begins with the entry
   */
  static AppFailure entry(String name, String what) {
    return archive("its entry %s %s".formatted(printable(name), what));
  }

  /**
   * @param why completes the sentence that begins with the archive
   */
  static AppFailure archive(String why) {
    return new AppFailure(
        FailureCode.ARCHIVE_REFUSED, "The archive cannot be used: %s.".formatted(why));
  }

  private static String printable(String name) {
    String shown = name.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    return shown.length() <= MOST_CHARACTERS ? shown : shown.substring(0, MOST_CHARACTERS) + "…";
  }
}
