package dev.slipway.api;

import java.util.List;
import java.util.Map;

/**
 * The page at {@code /docs} that shows both contracts, with everything that it loads. It asks no
 * other host for anything: the browser is told to refuse that.
 */
final class ReferencePage {
  private static final String PATH = "/docs";
  private static final String FOLDER = "/dev/slipway/api/docs/";
  private static final String VIEWER = "/META-INF/resources/webjars/scalar/scalar.js";

  // The viewer makes style elements as it goes: of styles alone, inline ones are allowed.
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "Referrer-Policy",
          "no-referrer");

  private ReferencePage() {}

  static List<StaticDocument> documents() {
    return List.of(
        new StaticDocument(
            PATH, "text/html; charset=utf-8", HEADERS, () -> ClassPath.read(FOLDER + "index.html")),
        script("reference.js", FOLDER + "reference.js"),
        script("scalar.js", VIEWER),
        new StaticDocument(
            PATH + "/reference.css",
            "text/css; charset=utf-8",
            Map.of(),
            () -> ClassPath.read(FOLDER + "reference.css")));
  }

  private static StaticDocument script(String name, String resource) {
    return new StaticDocument(
        PATH + "/" + name,
        "text/javascript; charset=utf-8",
        Map.of(),
        () -> ClassPath.read(resource));
  }
}
