package dev.slipway.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammars of API decisions, "Conventions": what reaches a git host's address or a path. */
class NamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"acme/shop", "a/b", "acme/group/sub/shop", "9lives/a.b_c-d", "acme/shop.git"})
  void aRepositoryMayBeCalled(String name) {
    assertThat(RepoName.isValid(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "shop",
        "/shop",
        "acme/",
        "acme//shop",
        "../shop",
        "acme/..",
        "acme/.git",
        "-acme/shop",
        "acme/-shop",
        "acme/sh op",
        "acme/shop\n",
        "acme/shop;id",
        "acme/$(id)",
        "https://acme/shop",
        "acme/\u00e4pfel"
      })
  void aRepositoryMayNotBeCalled(String name) {
    assertThat(RepoName.isValid(name)).isFalse();
    assertThatThrownBy(() -> new RepoName(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSegmentOfARepositoryHasAtMostAHundredCharacters() {
    assertThat(RepoName.isValid("acme/" + "x".repeat(100))).isTrue();
    assertThat(RepoName.isValid("acme/" + "x".repeat(101))).isFalse();
  }

  @Test
  void theNameOfARepositoryIsItsLastSegment() {
    assertThat(new RepoName("acme/group/shop").name()).isEqualTo("shop");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "main",
        "feature/login",
        "v1.2",
        "a@b",
        "\u00fcber",
        "x{y}",
        "a.lockx",
        "HEAD2",
        "refs/heads/main",
        "a-"
      })
  void aBranchMayBeCalled(String name) {
    assertThat(BranchName.isValid(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-main",
        "--upload-pack=id",
        "a..b",
        ".main",
        "a/.b",
        "a//b",
        "/a",
        "a/",
        "a.",
        "a.lock",
        "a.lock/b",
        "a b",
        "a~1",
        "a^",
        "a:b",
        "a?",
        "a*",
        "a[b",
        "a\\b",
        "a@{1}",
        "@",
        "HEAD",
        "a\nb",
        "a\u0000b",
        "a\u007fb"
      })
  void aBranchMayNotBeCalled(String name) {
    assertThat(BranchName.isValid(name)).isFalse();
  }

  @Test
  void aBranchHasAtMost250Bytes() {
    assertThat(BranchName.isValid("x".repeat(250))).isTrue();
    assertThat(BranchName.isValid("x".repeat(251))).isFalse();
    assertThat(BranchName.isValid("\u00e4".repeat(125))).isTrue();
    assertThat(BranchName.isValid("\u00e4".repeat(126))).isFalse();
  }
}
