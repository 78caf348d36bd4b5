package dev.slipway.site;

import dev.slipway.release.ReleaseFiles;
import dev.slipway.release.ReleaseFiles.Content;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a site answers under which path. All that can be answered is listed here, so that no path,
 * however it is written, leads to anything else. Immutable.
 */
public final class SiteIndex {
  private static final String INDEX = "index.html";
  private static final String NOT_FOUND = "404.html";
  private static final String WELL_KNOWN = ".well-known";
  private static final int MOST_LINKS = 8;

  /** Files that tell another host what to do; they may hold passwords, and are for no visitor. */
  private static final Set<String> HIDDEN = Set.of("_headers", "_redirects");

  private final Map<String, Content> files = new HashMap<>();
  private final Map<String, String> links = new HashMap<>();
  private final Site site;

  /** What was found under a path. */
  public sealed interface Found {
    record File(Content content) implements Found {}

    /**
     * @param path where it is to be asked for: absolute, percent-encoded
     */
    record Elsewhere(String path) implements Found {}

    record Nothing() implements Found {}
  }

  /**
   * @param all the files of the site's folder
   */
  public SiteIndex(Site site, ReleaseFiles all) {
    this.site = site;
    String above = site.below().isEmpty() ? "" : site.below() + "/";
    for (Content content : all.contents()) {
      if (isShown(content.path())) {
        String path = above + content.path();
        files.put(path, new Content(path, content.hash(), content.plain(), content.coded()));
      }
    }
    all.links().forEach(link -> links.put(above + link.path(), link.target()));
  }

  /** How many files there are. */
  public int size() {
    return files.size();
  }

  public Found find(SitePath path) {
    String name = path.value();
    if (path.slash()) {
      Optional<Content> page = file(name.isEmpty() ? INDEX : name + "/" + INDEX);
      return page.<Found>map(Found.File::new)
          .or(() -> clean(name).map(_ -> new Found.Elsewhere("/" + name)))
          .orElseGet(Found.Nothing::new);
    }
    return file(name)
        .or(() -> clean(name))
        .<Found>map(Found.File::new)
        .or(() -> file(name + "/" + INDEX).map(_ -> new Found.Elsewhere("/" + name + "/")))
        .orElseGet(Found.Nothing::new);
  }

  /** The page of an application that knows its paths itself. */
  public Optional<Content> fallback() {
    return site.fallback().flatMap(this::file);
  }

  /** The site's own page for what there is not. */
  public Optional<Content> notFound() {
    return file(NOT_FOUND);
  }

  private Optional<Content> clean(String name) {
    return site.cleanUrls() && !name.isEmpty() ? file(name + ".html") : Optional.empty();
  }

  private Optional<Content> file(String path) {
    Optional<Content> file = Optional.ofNullable(files.get(path));
    return file.isPresent() || links.isEmpty() ? file : behindLinks(path, 0);
  }

  private Optional<Content> behindLinks(String path, int followed) {
    for (int end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      String link = end < 0 ? path : path.substring(0, end);
      String target = links.get(link);
      if (target != null) {
        return followed == MOST_LINKS
            ? Optional.empty()
            : joined(link, target)
                .map(place -> end(path, link, place))
                .flatMap(place ->
                    Optional.ofNullable(files.get(place))
                        .or(() -> behindLinks(place, followed + 1)));
      }
      if (end < 0) {
        return Optional.empty();
      }
    }
  }

  private static String end(String path, String link, String place) {
    String rest = path.substring(link.length());
    return place.isEmpty() && !rest.isEmpty() ? rest.substring(1) : place + rest;
  }

  /** Where a link leads; empty where that is not in the site. */
  private static Optional<String> joined(String link, String target) {
    if (target.startsWith("/")) {
      return Optional.empty();
    }
    Deque<String> names = new ArrayDeque<>();
    int parent = link.lastIndexOf('/');
    String all = (parent < 0 ? "" : link.substring(0, parent + 1)) + target;
    for (String name : all.split("/", -1)) {
      if (name.equals("..")) {
        if (names.pollLast() == null) {
          return Optional.empty();
        }
      } else if (!name.isEmpty() && !name.equals(".")) {
        names.addLast(name);
      }
    }
    return Optional.of(String.join("/", names));
  }

  private static boolean isShown(String path) {
    String rest = path.startsWith(WELL_KNOWN + "/") ? path.substring(WELL_KNOWN.length()) : path;
    return !rest.startsWith(".") && !rest.contains("/.") && !HIDDEN.contains(path);
  }
}
