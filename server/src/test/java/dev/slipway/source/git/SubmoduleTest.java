package dev.slipway.source.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.source.Checkout;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceRef;
import dev.slipway.source.WideLimit;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubmoduleTest {
  private static final String TOKEN = "t0ken-of-the-first-host";

  @TempDir Path directory;
  private GitServer server;
  private GitRepository shop;
  private GitRepository lib;

  @BeforeEach
  void startServer() throws IOException {
    server = GitServer.open(directory.resolve("server"));
    shop = server.create("acme/shop");
    lib = server.create("acme/lib");
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "file"})
  void aSubmoduleIsFetchedAtItsRecordedCommit(String scheme) {
    String recorded = lib.write("lib.js", "recorded").commit("main", "First");
    lib.write("lib.js", "newer").commit("main", "Second");
    commit(shop, new Link("vendor/lib", "../lib.git", recorded));

    Checkout checkout = fetch(host(scheme), List.of());

    assertThat(checkout.text("vendor/lib/lib.js")).contains("recorded");
    assertThat(checkout.root().resolve("vendor/lib/.git")).doesNotExist();
    assertThat(checkout.notes()).isEmpty();
    assertThat(directory.resolve("checkout.partial")).doesNotExist();
  }

  @Test
  void submodulesOfSubmodulesAreFetchedToo() {
    GitRepository deep = server.create("other/deep");
    String ofDeep = deep.write("deep.js", "deep").commit("main", "First");
    String ofLib = commit(lib, new Link("deep", "../../other/deep", ofDeep));
    commit(shop, new Link("lib", server.address() + "/acme/lib.git", ofLib));

    assertThat(fetch(host("http"), List.of()).text("lib/deep/deep.js")).contains("deep");
  }

  @Test
  void aRepositoryThatNamesItsOwnPastWithoutEndIsFollowedSoFar() {
    String commit = shop.write("index.js", "first").commit("main", "First");
    for (int times = 0; times < 7; times++) {
      commit = commit(shop, new Link("self", "../shop", commit));
    }

    Checkout checkout = fetch(host("file"), List.of());

    assertThat(checkout.root().resolve("self/self/self/self/self/index.js")).exists();
    assertThat(checkout.root().resolve("self/self/self/self/self/self")).isEmptyDirectory();
    assertThat(checkout.notes()).singleElement().asString().contains("5 deep");
  }

  @Test
  void aSubmoduleOfAnotherConfiguredHostIsFetchedWithoutAnyToken() throws IOException {
    try (GitServer other = GitServer.open(directory.resolve("other"))) {
      String recorded = other.create("x/y").write("y.js", "y").commit("main", "First");
      commit(shop, new Link("y", other.address() + "/x/y.git", recorded));
      GitHost own = new GitHost("github", server.address(), Optional.of(new Secret(TOKEN)));
      GitHost second = new GitHost("second", other.address(), Optional.of(new Secret("other")));

      assertThat(fetch(own, List.of(own, second)).text("y/y.js")).contains("y");
      assertThat(other.requestHeaders())
          .allSatisfy(headers -> assertThat(headers).doesNotContainKey("Authorization"));
    }
  }

  @Test
  void theTokenOfTheHostOpensItsPrivateSubmodules() throws IOException {
    try (GitServer closed = GitServer.withPassword(directory.resolve("closed"), TOKEN)) {
      GitRepository app = closed.create("acme/shop");
      String recorded = closed.create("acme/lib").write("lib.js", "1").commit("main", "First");
      commit(app, new Link("lib", "../lib", recorded));
      GitHost host = new GitHost("github", closed.address(), Optional.of(new Secret(TOKEN)));

      assertThat(fetch(host, List.of()).text("lib/lib.js")).contains("1");
    }
  }

  /** Whoever may open a pull request could otherwise have any repository copied into his. */
  @ParameterizedTest
  @ValueSource(strings = {"../../acme/secret", "%s/acme/secret.git"})
  void whatStrangersWroteIsFetchedByTheTokenAndItsSubmodulesAreNot(String address)
      throws IOException {
    try (GitServer closed = GitServer.withPassword(directory.resolve("closed"), TOKEN)) {
      GitRepository fork = closed.create("mallory/shop");
      String recorded = closed.create("acme/secret").write("s.js", "1").commit("main", "First");
      commit(fork, new Link("copy", address.formatted(closed.address()), recorded));
      GitHost host = new GitHost("github", closed.address(), Optional.of(new Secret(TOKEN)));
      GitSource source = new GitSource(host, List.of(host), WideLimit.below(directory));
      SourceRef ref = new SourceRef(new RepoName("mallory/shop"), "main", Optional.empty(), true);

      Checkout checkout = source.fetch(ref, source.resolve(ref), directory.resolve("checkout"));

      assertThat(checkout.root().resolve(".gitmodules")).exists();
      assertThat(checkout.root().resolve("copy")).isEmptyDirectory();
      assertThat(checkout.notes()).singleElement().asString().contains("acme/secret");
    }
  }

  @Test
  void whatCannotBeHadIsLeftEmptyAndSaid() {
    String absent = "1".repeat(40);
    commit(
        shop,
        new Link("a", "https://me:pa55word@gitlab.example/x/y.git", absent),
        new Link("b", "../none.git", absent),
        new Link("c", "ext::sh -c touch% /tmp/pwned", absent),
        new Link("d", "../lib.git", absent));
    lib.write("lib.js", "1").commit("main", "First");

    for (String scheme : List.of("http", "file")) {
      Checkout checkout = fetch(host(scheme), List.of());

      for (String path : List.of("a", "b", "c", "d")) {
        assertThat(checkout.root().resolve(path)).isEmptyDirectory();
      }
      assertThat(checkout.notes())
          .hasSize(4)
          .anySatisfy(note ->
              assertThat(note)
                  .contains("submodule a ", "https://gitlab.example/x/y.git", "repo_hosts")
                  .doesNotContain("pa55word"))
          .anySatisfy(note -> assertThat(note).contains("submodule b ", "no repository acme/none"))
          .anySatisfy(note -> assertThat(note).contains("submodule c ", "repo_hosts"))
          .anySatisfy(note -> assertThat(note).contains("submodule d ", "no commit " + absent));
    }
  }

  @Test
  void aHostThatDoesNotAnswerFailsAsForTheRepositoryItself() throws IOException {
    GitServer gone = GitServer.open(directory.resolve("gone"));
    URI address = gone.address();
    gone.close();
    commit(shop, new Link("lib", address + "/acme/lib.git", "1".repeat(40)));
    GitHost second = new GitHost("second", address, Optional.empty());

    AppFailure failure =
        catchThrowableOfType(AppFailure.class, () -> fetch(host("http"), List.of(second)));

    assertThat(failure.failure().code()).isEqualTo(FailureCode.SOURCE_UNREACHABLE);
    assertThat(failure.failure().message()).contains("acme/lib").contains("second");
    assertThat(directory.resolve("checkout")).doesNotExist();
  }

  private record Link(String path, String address, String sha) {}

  private static String commit(GitRepository into, Link... links) {
    StringBuilder modules = new StringBuilder();
    for (Link link : links) {
      modules.append(
          "[submodule \"%1$s\"]\n\tpath = %1$s\n\turl = \"%2$s\"\n"
              .formatted(link.path(), link.address()));
      into.git("update-index", "--add", "--cacheinfo", "160000", link.sha(), link.path());
    }
    into.write(".gitmodules", modules.toString());
    into.write("index.js", "first");
    into.git("add", ".gitmodules", "index.js");
    into.git("commit", "-q", "-m", "Submodules");
    into.git("push", "-q", "origin", "main");
    return into.git("rev-parse", "HEAD").strip();
  }

  private GitHost host(String scheme) {
    URI base = scheme.equals("http") ? server.address() : server.folder().toUri();
    return new GitHost("github", base, Optional.empty());
  }

  private Checkout fetch(GitHost host, List<GitHost> others) {
    GitSource source = new GitSource(host, others, WideLimit.below(directory));
    SourceRef ref = new SourceRef(new RepoName("acme/shop"), "main", Optional.empty());
    return source.fetch(
        ref, source.resolve(ref), directory.resolve("checkout-" + host.base().getScheme()));
  }
}
