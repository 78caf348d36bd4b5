package dev.slipway.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentTypesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "index.html | text/html; charset=utf-8",
        "INDEX.HTML | text/html; charset=utf-8",
        "a.b/app.mjs | text/javascript; charset=utf-8",
        "app.js | text/javascript; charset=utf-8",
        "style.css | text/css; charset=utf-8",
        "robots.txt | text/plain; charset=utf-8",
        "data.json | application/json",
        "app.js.map | application/json",
        "app.wasm | application/wasm",
        "logo.svg | image/svg+xml",
        "a.avif | image/avif",
        "f.woff2 | font/woff2",
        "app.webmanifest | application/manifest+json",
        "LICENSE | application/octet-stream",
        "x.unheardof | application/octet-stream",
        ".well-known/apple-app-site-association | application/json"
      })
  void theEndOfANameTellsTheType(String name, String type) {
    assertThat(ContentTypes.of(name)).isEqualTo(type);
  }
}
