package dev.slipway.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ReleaseId;
import dev.slipway.release.ReleaseFiles;
import dev.slipway.release.ReleaseFiles.Content;
import dev.slipway.site.SiteIndex.Found;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SiteIndexTest {
  private static final ReleaseId RELEASE = ReleaseId.of(DeploymentId.next());

  @ParameterizedTest
  @CsvSource({
    "/, index.html",
    "/index.html, index.html",
    "/app.js, app.js",
    "/docs/, docs/index.html",
    "/docs, -> /docs/",
    "/docs/?a, docs/index.html",
    "/app.js/, nothing",
    "/about, nothing",
    "/about.html, about.html",
    "/nope, nothing",
    "/nope/, nothing",
    "/App.js, nothing"
  })
  void filesAndDirectoriesAreFound(String uri, String expected) {
    SiteIndex index = index(false, "index.html", "app.js", "docs/index.html", "about.html");

    assertThat(found(index, uri)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "/about, about.html",
    "/about/, -> /about",
    "/about.html, about.html",
    "/blog, blog.html",
    "/blog/one, blog/one.html",
    "/shop/, shop/index.html",
    "/shop, -> /shop/",
    "/1.0, 1.0.html"
  })
  void pagesMayBeAskedForWithoutTheirEnding(String uri, String expected) {
    SiteIndex index =
        index(
            true,
            "index.html",
            "about.html",
            "blog.html",
            "blog/one.html",
            "shop/index.html",
            "1.0.html");

    assertThat(found(index, uri)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/.env",
        "/.git/config",
        "/docs/.htaccess",
        "/.well-known/.secret",
        "/_headers",
        "/_redirects",
        "/%2eenv"
      })
  void hiddenFilesAreShownToNobody(String uri) {
    SiteIndex index =
        index(
            true,
            ".env",
            ".git/config",
            "docs/.htaccess",
            ".well-known/.secret",
            ".well-known/security.txt",
            "_headers",
            "_redirects",
            ".env.html");

    assertThat(found(index, uri)).isEqualTo("nothing");
    assertThat(found(index, "/.well-known/security.txt")).isEqualTo(".well-known/security.txt");
  }

  @ParameterizedTest
  @CsvSource({
    "/latest.js, v2/app.js",
    "/current/app.js, v2/app.js",
    "/current/, v2/index.html",
    "/current, -> /current/",
    "/deep/up/v2/app.js, v2/app.js",
    "/chain/app.js, v2/app.js",
    "/outside, nothing",
    "/root/etc/passwd, nothing",
    "/above/x, nothing",
    "/hidden, nothing",
    "/circle/app.js, nothing",
    "/self, nothing",
    "/grow/app.js, nothing",
    "/dangling, nothing"
  })
  void linksAreFollowedInsideTheSiteAlone(String uri, String expected) {
    SiteIndex index =
        new SiteIndex(
            site(false),
            new ReleaseFiles(
                contents("v2/app.js", "v2/index.html", "deep/page.html", ".env"),
                List.of(
                    new ReleaseFiles.Link("latest.js", "v2/app.js"),
                    new ReleaseFiles.Link("current", "./v2/"),
                    new ReleaseFiles.Link("deep/up", "../"),
                    new ReleaseFiles.Link("chain", "current"),
                    new ReleaseFiles.Link("outside", "../package.json"),
                    new ReleaseFiles.Link("root", "/"),
                    new ReleaseFiles.Link("above", "v2/../../.."),
                    new ReleaseFiles.Link("hidden", ".env"),
                    new ReleaseFiles.Link("circle", "circle2"),
                    new ReleaseFiles.Link("circle2", "circle"),
                    new ReleaseFiles.Link("self", "self"),
                    new ReleaseFiles.Link("grow", "grow/grow"),
                    new ReleaseFiles.Link("dangling", "nowhere"))));

    assertThat(found(index, uri)).isEqualTo(expected);
  }

  @Test
  void fallbackAndPageForNothingAreThereWhereTheSiteHasThem() {
    Site plain = site(false);
    Site app = new Site(RELEASE, "", Optional.of("index.html"), false);

    assertThat(new SiteIndex(plain, files("index.html")).fallback()).isEmpty();
    assertThat(new SiteIndex(plain, files("index.html")).notFound()).isEmpty();
    assertThat(new SiteIndex(plain, files("404.html")).notFound()).isPresent();
    assertThat(new SiteIndex(app, files("index.html")).fallback()).isPresent();
    assertThat(new SiteIndex(app, files("other.html")).fallback()).isEmpty();
  }

  private static SiteIndex index(boolean cleanUrls, String... names) {
    return new SiteIndex(site(cleanUrls), files(names));
  }

  private static Site site(boolean cleanUrls) {
    return new Site(RELEASE, "", Optional.empty(), cleanUrls);
  }

  private static ReleaseFiles files(String... names) {
    return new ReleaseFiles(contents(names), List.of());
  }

  private static List<Content> contents(String... names) {
    List<Content> contents = new ArrayList<>();
    for (String name : names) {
      contents.add(new Content(name, "hash", new ReleaseFiles.Stored(Path.of(name), 1), Map.of()));
    }
    return contents;
  }

  private static String found(SiteIndex index, String uri) {
    return switch (index.find(SitePath.of(uri).orElseThrow())) {
      case Found.File(Content content) -> content.path();
      case Found.Elsewhere(String path) -> "-> " + path;
      case Found.Nothing() -> "nothing";
    };
  }
}
