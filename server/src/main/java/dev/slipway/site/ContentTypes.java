package dev.slipway.site;

import io.vertx.core.http.MimeMapping;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The media type of a file, by its name. */
public final class ContentTypes {
  private static final String UNKNOWN = "application/octet-stream";

  /** What the table of Vert.x lacks, or has under a name of old. */
  private static final Map<String, String> NEWER =
      Map.ofEntries(
          Map.entry("avif", "image/avif"),
          Map.entry("cjs", "text/javascript"),
          Map.entry("geojson", "application/geo+json"),
          Map.entry("glb", "model/gltf-binary"),
          Map.entry("gltf", "model/gltf+json"),
          Map.entry("ico", "image/vnd.microsoft.icon"),
          Map.entry("jsonld", "application/ld+json"),
          Map.entry("jxl", "image/jxl"),
          Map.entry("m4a", "audio/mp4"),
          Map.entry("map", "application/json"),
          Map.entry("md", "text/markdown"),
          Map.entry("opus", "audio/ogg"),
          Map.entry("otf", "font/otf"),
          Map.entry("ttf", "font/ttf"),
          Map.entry("vtt", "text/vtt"),
          Map.entry("webmanifest", "application/manifest+json"),
          Map.entry("woff", "font/woff"));

  private ContentTypes() {}

  /** For example {@code text/html; charset=utf-8}. */
  public static String of(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    if (dot < 0) {
      // Apple asks for it under this name and wants it as JSON.
      return name.equals("apple-app-site-association") ? "application/json" : UNKNOWN;
    }
    String end = name.substring(dot + 1).toLowerCase(Locale.ROOT);
    String type =
        Optional.ofNullable(NEWER.get(end))
            .or(() -> Optional.ofNullable(MimeMapping.mimeTypeForExtension(end)))
            .orElse(UNKNOWN);
    return type.startsWith("text/") ? type + "; charset=utf-8" : type;
  }
}
