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
 */
public record Site(ReleaseId release, String folder, Optional<String> fallback, boolean cleanUrls) {

  public static Site of(ReleaseId release, Serving.Site site) {
    return new Site(
        release, raw(site.directory()), site.fallback().map(Site::raw), site.cleanUrls());
  }

  private static String raw(String path) {
    return RawPath.encode(path.getBytes(StandardCharsets.UTF_8));
  }
}
