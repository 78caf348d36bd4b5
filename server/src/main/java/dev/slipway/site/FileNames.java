package dev.slipway.site;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the path of a file says about it. Bundlers put a hash of the content into the name, so that
 * the file never changes under it: {@code assets/index-B7PI925R.js}, {@code main.1a2b3c4d.css}.
 */
public final class FileNames {
  /** Directories that hold nothing else. */
  private static final Pattern HASHED_FOLDER =
      Pattern.compile("(?:.*/)?(?:_next/static|_astro|_app/immutable|_nuxt(?!/builds/))/.*");

  /** Directories that bundlers write to, beside what they are handed and copy as it is. */
  private static final Pattern BUNDLE_FOLDER =
      Pattern.compile("(?:.*/)?(?:assets|static/(?:js|css|media))/.+");

  /** What Angular writes beside the page; its hashes are capitals and digits. */
  private static final Pattern BUNDLE =
      Pattern.compile(
          "(?:chunk|main|polyfills|scripts|styles)-(?=[A-Z]*[0-9]+[A-Z])[A-Z0-9]{8}\\.(?:js|css)(?:\\.map)?");

  /** A word of eight characters or more between a hyphen or dot and the name's ends. */
  private static final Pattern HASH =
      Pattern.compile("[^/]+[.-]([A-Za-z0-9_-]{8}|[0-9a-f]{9,64})(?:\\.[A-Za-z0-9]+){1,3}");

  /** What pages load, and what is no name of a page. */
  private static final Set<String> PARTS_OF_PAGES =
      Set.of(
          "js",
          "mjs",
          "css",
          "map",
          "json",
          "wasm",
          "txt",
          "xml",
          "webmanifest",
          "svg",
          "png",
          "jpg",
          "jpeg",
          "gif",
          "webp",
          "avif",
          "ico",
          "woff",
          "woff2",
          "ttf",
          "otf",
          "eot",
          "mp3",
          "mp4",
          "webm",
          "ogg",
          "pdf",
          "zip");

  private FileNames() {}

  /**
   * Whether the content under this name can be taken to be the same for ever. Where in doubt not: a
   * file that is kept too long cannot be called back, one that is asked after costs a moment.
   */
  public static boolean isImmutable(String path) {
    String file = path.substring(path.lastIndexOf('/') + 1);
    if (HASHED_FOLDER.matcher(path).matches() || BUNDLE.matcher(file).matches()) {
      return true;
    }
    Matcher name = HASH.matcher(file);
    if (!name.matches() || path.endsWith(".html")) {
      return false;
    }
    HashShape shape = new HashShape(name.group(1));
    return BUNDLE_FOLDER.matcher(path).matches() ? shape.isLikely() : shape.isCertain();
  }

  /** Whether there might be a hash in the name: what an earlier release's page may ask for. */
  public static boolean mayBeHashed(String path) {
    return HASHED_FOLDER.matcher(path).matches()
        || (HASH.matcher(path.substring(path.lastIndexOf('/') + 1)).matches()
            && !path.endsWith(".html"));
  }

  /** Whether this is the name of something that a page loads rather than of a page. */
  public static boolean isPartOfPage(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot >= 0 && PARTS_OF_PAGES.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
  }
}
