package dev.slipway.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SitePathTest {
  @ParameterizedTest
  @CsvSource({
    "/, '', true",
    "/?q=/../x, '', true",
    "/a.js, a.js, false",
    "/a/b/, a/b, true",
    "/a%2Djs?v=1, a-js, false",
    "/%c3%a4.png, %C3%A4.png, false",
    "/zwei%20w%C3%B6rter, zwei%20w%C3%B6rter, false",
    "/%ff, %FF, false",
    "/100%2525, 100%2525, false",
    "/..., ..., false",
    "/a..b, a..b, false"
  })
  void aPathIsDecodedOnce(String uri, String value, boolean slash) {
    assertThat(SitePath.of(uri)).hasValue(new SitePath(value, slash));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/..",
        "/../etc/passwd",
        "/a/../../b",
        "/a/./b",
        "/%2e%2e/secret",
        "/%2E./secret",
        "/.%2e/",
        "/..%2fsecret",
        "/a%2Fb",
        "/a%5c..%5cb",
        "/a\\..\\b",
        "/a%00.html",
        "//etc/passwd",
        "/a//b",
        "//",
        "/%",
        "/%2",
        "/%zz",
        "/a%+1",
        "*",
        "",
        "a/b"
      })
  void whatNamesNoFileIsNoPath(String uri) {
    assertThat(SitePath.of(uri)).isEmpty();
  }

  @Test
  void whatWasEncodedTwiceIsTheNameOfAnotherFile() {
    assertThat(SitePath.of("/%252e%252e/x")).hasValue(new SitePath("%252e%252e/x", false));
    // The dots in two bytes each, which is no UTF-8.
    assertThat(SitePath.of("/%c0%ae%c0%ae/x")).hasValue(new SitePath("%C0%AE%C0%AE/x", false));
  }
}
