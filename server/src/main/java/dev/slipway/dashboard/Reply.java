package dev.slipway.dashboard;

import dev.slipway.account.Sessions;
import java.util.Iterator;

/** What a page's handler answers. */
sealed interface Reply {
  /**
   * A template with what it shows.
   *
   * @param template below the templates' folder, for example {@code projects/list.jte}
   * @param page the template's parameter {@code page}
   */
  record Page(int status, String template, String title, Section section, Object page)
      implements Reply {}

  /** A part of a page, for a page that is there already. */
  record Fragment(String template, Object page) implements Reply {}

  /**
   * Another page, after something was done.
   *
   * @param location a path of this service
   */
  record Elsewhere(String location) implements Reply {}

  /** Somebody is signed in from now on. */
  record Entered(Sessions.Started started, String location) implements Reply {}

  /** Nobody is signed in any more. */
  record Left(String location) implements Reply {}

  /** The pages look otherwise from now on. */
  record Looking(Theme theme, String location) implements Reply {}

  /**
   * A text of any size to keep.
   *
   * @param pieces asked for one after the other, as the browser takes them
   */
  record Text(String fileName, Iterator<String> pieces) implements Reply {}

  /** What the page has already is as it is now. */
  record Unchanged() implements Reply {}

  static Page page(String template, String title, Section section, Object page) {
    return new Page(200, template, title, section, page);
  }

  /** Another page, which says what was done. */
  static Elsewhere done(String location, Notice notice) {
    return new Elsewhere(
        location + (location.contains("?") ? "&" : "?") + Notice.PARAMETER + "=" + notice.code());
  }
}
