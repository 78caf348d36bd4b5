package dev.slipway.source.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.source.RepoName;
import dev.slipway.source.git.SubmoduleAddresses.Place;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubmoduleAddressesTest {
  private static final GitHost GITHUB = host("github", "https://github.com");
  private static final GitHost COMPANY = host("company", "http://git.example.com:3000/scm");
  private static final GitHost FOLDER = host("folder", "file:///srv/git");
  private static final SubmoduleAddresses ADDRESSES =
      new SubmoduleAddresses(List.of(GITHUB, COMPANY, FOLDER));

  @ParameterizedTest
  @CsvSource({
    "https://github.com/acme/lib.git, github, acme/lib",
    "https://github.com/acme/lib, github, acme/lib",
    "https://github.com/acme/lib/, github, acme/lib",
    "https://GitHub.com/acme/lib, github, acme/lib",
    "http://github.com/acme/lib.git, github, acme/lib",
    "https://me:secret@github.com/acme/lib.git, github, acme/lib",
    "git@github.com:acme/lib.git, github, acme/lib",
    "github.com:acme/lib.git, github, acme/lib",
    "ssh://git@github.com/acme/lib.git, github, acme/lib",
    "ssh://git@github.com:22/acme/lib.git, github, acme/lib",
    "git://github.com/acme/lib.git, github, acme/lib",
    "http://git.example.com:3000/scm/group/sub/lib.git, company, group/sub/lib",
    "file:///srv/git/acme/lib.git, folder, acme/lib",
  })
  void everySpellingOfAConfiguredHostIsKnown(String address, String kind, String repo) {
    Place place = find(address, GITHUB).orElseThrow();

    assertThat(place.host().kind()).isEqualTo(kind);
    assertThat(place.repo()).hasToString(repo);
  }

  @ParameterizedTest
  @CsvSource({
    "../lib.git, acme/lib",
    "../../other/lib, other/lib",
    "./../lib.git, acme/lib",
    "./nested, acme/shop/nested",
  })
  void relativeAddressesBeginAtTheRepository(String address, String repo) {
    for (GitHost host : List.of(GITHUB, COMPANY, FOLDER)) {
      assertThat(find(address, host)).contains(new Place(host, new RepoName(repo)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://gitlab.com/acme/lib.git",
        "https://github.com:8443/acme/lib.git",
        "https://github.com.evil.example/acme/lib.git",
        "https://github.com@evil.example/acme/lib.git",
        "https://evil.example/github.com/acme/lib.git",
        "http://git.example.com:3000/other/acme/lib.git",
        "http://git.example.com:3000/scm/../admin/lib.git",
        "file:///srv/git/../../etc/passwd",
        "file:///etc/acme/lib.git",
        "/srv/git/acme/lib.git",
        "ext::sh -c 'touch /tmp/pwned'",
        "--upload-pack=touch /tmp/pwned",
        "-u",
        "https://github.com/acme/--upload-pack=x",
        "https://github.com/acme/../../x/y",
        "https://github.com/lib",
        "git@github.com:-acme/lib",
        "../../../../etc/passwd",
        "../..",
        "..",
        "",
        "https://github.com/acme/li%2e%2e%2fb",
        "https://[::1/acme/lib",
      })
  void everythingElseBelongsToNoHost(String address) {
    for (GitHost parent : List.of(GITHUB, COMPANY, FOLDER)) {
      assertThat(find(address, parent)).isEmpty();
    }
  }

  @Test
  void whatIsFetchedIsAlwaysBelowTheHostsOwnAddress() {
    Place place = find("git@github.com:acme/lib.git", COMPANY).orElseThrow();

    assertThat(place.host().addressOf(place.repo()))
        .isEqualTo(URI.create("https://github.com/acme/lib.git"));
  }

  private static Optional<Place> find(String address, GitHost parent) {
    return ADDRESSES.find(address, new Place(parent, new RepoName("acme/shop")));
  }

  private static GitHost host(String kind, String base) {
    return new GitHost(kind, URI.create(base), Optional.empty());
  }
}
