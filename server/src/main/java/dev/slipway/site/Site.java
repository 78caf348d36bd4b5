package dev.slipway.site;

import dev.slipway.core.RawPath;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.Serving;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A release that is served as files.
 *
 * @param folder of the release, in the text form of {@link dev.slipway.core.RawPath}; empty for all
 *     of it
 * @param fallback the file that answers where a page is asked for that there is none of: the one
 *     page of an application that has its routes in the browser
 * @param cleanUrls whether {@code /about} is answered with {@code about.html}
 * @param below the path at which the folder is asked for, in the same text form; empty for the root
 */
public record Site(
    ReleaseId release, String folder, Optional<String> fallback, boolean cleanUrls, String below) {

  /** One at the root. */
  public Site(ReleaseId release, String folder, Optional<String> fallback, boolean cleanUrls) {
    this(release, folder, fallback, cleanUrls, "");
  }

  public static Site of(ReleaseId release, Serving.Site site) {
    return new Site(
        release, raw(site.directory()), site.fallback().map(Site::raw), site.cleanUrls());
  }

  /** The files that a program leaves behind for pages that were loaded from it. */
  public static Site of(ReleaseId release, Serving.Assets assets) {
    return new Site(release, raw(assets.directory()), Optional.empty(), false, raw(assets.path()));
  }

  /** The path as the files have it: an application may lie at a path of its host, and they too. */
  public SitePath within(SitePath asked) {
    int begin = below.isEmpty() ? 0 : ("/" + asked.value()).indexOf("/" + below + "/");
    return begin <= 0 ? asked : new SitePath(asked.value().substring(begin), asked.slash());
  }

  private static String raw(String path) {
    return RawPath.encode(path.getBytes(StandardCharsets.UTF_8));
  }
}
