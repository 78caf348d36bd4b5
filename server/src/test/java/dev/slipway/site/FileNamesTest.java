package dev.slipway.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "assets/index-B7PI925R.js",
        "assets/index-Bd-1c2Xy.css",
        "assets/logo-_dA1c2Xy.svg",
        "static/js/main.1a2b3c4d.js",
        "static/js/787.1a2b3c4d.chunk.js.map",
        "main.0123456789abcdef0123.js",
        "_next/static/chunks/main.js",
        "docs/_next/static/x/_buildManifest.js",
        "_astro/about.CrX7dq1Z.css",
        "_nuxt/DwTk_x0z.js",
        "assets/index-BdlqTrpx.js",
        "app/assets/js/vendor-CKkmqw_t.js",
        "assets/inter-Bdxqwrtz.woff2",
        "static/media/logo.6ce24c58.svg",
        "chunk-QRS7TVWX.js",
        "main-KLMN2PQR.css",
        "_app/immutable/entry/start.js"
      })
  void aHashInTheNameMeansThatTheFileNeverChanges(String path) {
    assertThat(FileNames.isImmutable(path)).isTrue();
    assertThat(FileNames.mayBeHashed(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "index.html",
        "assets/app.js",
        "app-settings.js",
        "photo-vacation.jpg",
        "hero-IMG_1234.jpg",
        "theme-DarkMode.css",
        "report-20240101.pdf",
        "api-version2.json",
        "jquery-3.6.0.min.js",
        "assets/B7PI925R.js",
        "main-component.js",
        "jquery-validate.js",
        "index-BdlqTrpx.js",
        "hero-v2-Final.jpg",
        "hero-en-US-v2.jpg",
        "assets/hero-vacation.jpg",
        "assets/jquery-validate.js",
        "assets/theme-DarkMode.css",
        "assets/hero-IMG_1234.jpg",
        "assets/hero-iPhone14.jpg",
        "assets/inter-bold-400.woff2",
        "assets/report-20240101.pdf",
        "static/media/photo-MyWidget.png",
        "_nuxt/builds/latest.json",
        "chunk-SETTINGS.js",
        "posts/a-B7PI925R.html",
        "sw.js",
        "cafe-deadbeef.png"
      })
  void wordsDatesAndNumbersAreNoHash(String path) {
    assertThat(FileNames.isImmutable(path)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"assets/index-abcdefgh.js, true", "app.js, false", "a-abcdefgh.html, false"})
  void anEarlierReleaseIsAskedForWhatLooksLikeAHash(String path, boolean may) {
    assertThat(FileNames.mayBeHashed(path)).isEqualTo(may);
  }

  @ParameterizedTest
  @CsvSource({
    "a/b.js, true",
    "LOGO.PNG, true",
    "users/john.doe, false",
    "about, false",
    "about.html, false",
    "v1.js/about, false"
  })
  void thePartsOfAPageAreKnownByTheirNames(String path, boolean part) {
    assertThat(FileNames.isPartOfPage(path)).isEqualTo(part);
  }
}
