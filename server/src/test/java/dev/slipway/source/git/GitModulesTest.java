package dev.slipway.source.git;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitModulesTest {
  @Test
  void addressesAreKnownByThePathsOfTheCommit() {
    GitModules modules =
        GitModules.parse(
            """
            [submodule "one"]
            \tpath = vendor/one
            \turl = ../one.git
            [submodule "zwei"]
            \tpath = Größe
            \turl = git@github.com:acme/two.git
            [submodule "no address"]
            \tpath = three
            """);

    assertThat(modules.address("vendor/one")).contains("../one.git");
    assertThat(modules.address("Gr%C3%B6%C3%9Fe")).contains("git@github.com:acme/two.git");
    assertThat(modules.address("three")).isEmpty();
    assertThat(modules.address("four")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[submodule \"lib\n\tpath = lib\n\turl = ../lib\n",
        "[include]\n\tpath = /etc/passwd\n",
        "\u0000\u0001\u0002",
        "",
      })
  void aMalformedTextNamesNothing(String text) {
    assertThat(GitModules.parse(text).addresses()).isEmpty();
  }
}
