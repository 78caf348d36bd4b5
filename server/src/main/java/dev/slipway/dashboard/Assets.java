package dev.slipway.dashboard;

import dev.slipway.api.ClassPath;
import dev.slipway.api.OffLoop;
import dev.slipway.api.StaticDocument;
import io.vertx.ext.web.Router;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Styles, scripts and icons of the pages. Each address has a digest of what is there, so that a
 * browser asks for it once, and gets a new one after an update.
 */
public final class Assets {
  private static final String BASE = "/dashboard/assets/";
  private static final String FOLDER = "/dev/slipway/dashboard/";
  private static final Map<String, String> HEADERS =
      Map.of("Cache-Control", "public, max-age=31536000, immutable");
  private static final int TAG_DIGITS = 8;

  private record Asset(String name, String type, String resource) {
    static Asset own(String name, String type) {
      return new Asset(name, type, FOLDER + name);
    }

    String tag() {
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(ClassPath.read(resource));
        return HexFormat.of().formatHex(hash).substring(0, TAG_DIGITS);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
  }

  private static final List<Asset> ALL =
      List.of(
          Asset.own("app.css", "text/css; charset=utf-8"),
          Asset.own("app.js", "text/javascript; charset=utf-8"),
          Asset.own("icons.svg", "image/svg+xml"),
          Asset.own("favicon.svg", "image/svg+xml"),
          new Asset(
              "htmx.js",
              "text/javascript; charset=utf-8",
              "/META-INF/resources/webjars/htmx.org/2.0.10/dist/htmx.min.js"));

  private static final Map<String, String> ADDRESSES =
      ALL.stream()
          .collect(
              Collectors.toUnmodifiableMap(Asset::name, it -> BASE + it.tag() + "/" + it.name()));

  private Assets() {}

  /** Where the page finds it. */
  public static String path(String name) {
    return Objects.requireNonNull(ADDRESSES.get(name), name);
  }

  /** The address of an icon of the sprite. */
  public static String icon(String name) {
    return path("icons.svg") + "#" + name;
  }

  static void mount(Router router, OffLoop offLoop) {
    Function<Asset, StaticDocument> document =
        it ->
            new StaticDocument(
                path(it.name()), it.type(), HEADERS, () -> ClassPath.read(it.resource()));
    ALL.stream().map(document).forEach(it -> it.mount(router, offLoop));
  }
}
