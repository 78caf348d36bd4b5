package dev.slipway.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.tool.Supply.Found;
import dev.slipway.tool.Supply.Wish;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupplyTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @TempDir Path directory;

  private final List<String> attempts = Collections.synchronizedList(new ArrayList<>());
  private final List<ProvidedTool> ofHost = new ArrayList<>();
  private Trial trial = (_, _) -> true;
  private ToolSource source = (_, range, place) -> complete(range, place);

  @Test
  void whatTheHostHasIsNotFetched() throws InterruptedException {
    host("20.20.2");

    Found found = find(">=18");

    assertThat(found.tool().version()).isEqualTo("20.20.2");
    assertThat(found.tool().bin()).isEmpty();
    assertThat(found.warning()).isEmpty();
    assertThat(attempts).isEmpty();
  }

  @Test
  void whatItHasNotIsFetchedOnceAndKept() throws InterruptedException {
    host("20.20.2");

    Found first = find("22.12.0");
    Found second = find("^22");

    assertThat(first.tool().version()).isEqualTo("22.12.0");
    assertThat(first.tool().directories()).containsExactly(directory.resolve("tools/node/22.12.0"));
    assertThat(first.tool().bin().orElseThrow().resolve("node")).exists();
    assertThat(second.tool()).isEqualTo(first.tool());
    assertThat(attempts).containsExactly("=22.12.0");
  }

  @Test
  void twoAtOnceFetchItOnce() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    source =
        (_, range, place) -> {
          both.countDown();
          return complete(range, place);
        };
    Supply supply = supply();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Found>> found = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        found.add(threads.submit(() -> supply.find(wish("22.12.0"))));
      }

      assertThat(found.get(0).get().tool()).isEqualTo(found.get(1).get().tool());
    }
    assertThat(attempts).hasSize(1);
  }

  @Test
  void aVersionThatDoesNotExistGivesWayToOneOfItsMajor() throws InterruptedException {
    host("20.20.2");
    source =
        (_, range, place) ->
            range.allows(Version.release(22, 23, 3))
                ? complete(VersionRange.parse("22.23.3").orElseThrow(), place)
                : new Fetched.NoSuchVersion();

    Found found = find("22.99.0");

    assertThat(found.tool().version()).isEqualTo("22.23.3");
    assertThat(found.warning()).contains("There is no Node 22.99.0; the application gets 22.23.3.");
  }

  @Test
  void whatDoesNotRunIsNotKept() throws InterruptedException {
    host("20.20.2");
    trial = (_, tool) -> tool.version().major() > 0;
    source = (_, _, place) -> complete(VersionRange.parse("0.12.2").orElseThrow(), place);

    Found found = find("0.12.2");

    assertThat(found.tool().version()).isEqualTo("20.20.2");
    assertThat(found.warning()).contains("There is no Node 0.12.2; the application gets 20.20.2.");
    assertThat(directory.resolve("tools/node")).doesNotExist();
  }

  @Test
  void theNearestOfTheHostTakesThePlaceOfWhatCannotBeFetched() throws InterruptedException {
    host("3.11.2");
    host("3.13.0");
    host("3.9.18");
    source = (_, _, _) -> new Fetched.Unreachable("uv: dns error");

    Found found = find(">=3.14");

    assertThat(found.tool().version()).isEqualTo("3.13.0");
    assertThat(found.warning())
        .contains(
            "Node >=3.14 could not be fetched (uv: dns error), so the application gets 3.13.0.");
  }

  @Test
  void withNothingAtAllTheBuildFailsAndSaysWhy() {
    source = (_, _, _) -> new Fetched.Unreachable("npm: connect ECONNREFUSED");

    AppFailure failure = catchThrowableOfType(AppFailure.class, () -> find("^22"));

    assertThat(failure.failure().code()).isEqualTo(FailureCode.INSTALL_FAILED);
    assertThat(failure)
        .hasMessageStartingWith(
            "Node ^22 could not be fetched, and this server has no other (npm: connect ECONNREFUSED)");
  }

  @Test
  void whatFailedIsNotTriedAgainWhileItLasts() throws InterruptedException {
    host("20.20.2");
    source =
        (_, range, _) -> {
          attempts.add(range.forNpm());
          return new Fetched.Unreachable("uv: no answer", Duration.ofHours(1));
        };
    Supply supply = supply();

    supply.find(wish("22"));
    Found second = supply.find(wish("22"));

    assertThat(second.tool().version()).isEqualTo("20.20.2");
    assertThat(attempts).hasSize(1);
  }

  @Test
  void aHostsNpmThatDoesNotRunWithTheNodeIsPassedOver() throws InterruptedException {
    ofHost.add(new ProvidedTool("npm", "11.19.1", List.of(), Optional.empty()));
    Optional<Version> node = Version.parse("18.20.8");
    VersionRange range = Needs.narrowed("npm", VersionRange.ANY, node.orElseThrow());
    source = (_, _, place) -> complete(VersionRange.parse("10.9.9").orElseThrow(), place);

    Found found = supply().find(new Wish("npm", "", range, node));

    assertThat(found.tool().version()).isEqualTo("10.9.9");
  }

  @Test
  void aFetchThatWasKilledLeavesNothingThatCounts() throws Exception {
    Path half = directory.resolve("tools/.fetching/node/bin");
    Files.createDirectories(half);
    Files.writeString(half.resolve("node"), "half of it");

    assertThat(find("22.12.0").tool().bin().orElseThrow().resolve("node")).hasContent("22.12.0");
    assertThat(directory.resolve("tools/.fetching/node")).doesNotExist();
  }

  @Test
  void aToolThatNeedsWhatIsGoneIsFetchedAnew() throws Exception {
    Path python = Files.createDirectory(directory.resolve("python"));
    source =
        (_, range, place) -> {
          Fetched.Complete complete = (Fetched.Complete) complete(range, place);
          return new Fetched.Complete(complete.version(), complete.tree(), List.of(python));
        };
    assertThat(find("22.12.0").tool().directories()).contains(python);
    Files.delete(python);
    source = (_, range, place) -> complete(range, place);

    assertThat(find("22.12.0").tool().directories()).hasSize(1);
    assertThat(attempts).hasSize(2);
  }

  @Test
  void whatIsFetchedCountsAsUsedThen() throws InterruptedException {
    find("22.12.0");

    assertThat(new ToolShelf(directory.resolve("tools")).kept())
        .extracting(KeptTool::id, KeptTool::lastUsed)
        .containsExactly(tuple("node@22.12.0", NOW));
  }

  @Test
  void whatWasUsedSinceItWasLookedAtIsNotDeleted() throws InterruptedException {
    find("18.1.0");
    find("22.1.0");
    ToolShelf shelf = new ToolShelf(directory.resolve("tools"));
    List<KeptTool> seen = shelf.kept();
    shelf.use(tool("22.1.0"), NOW.plus(Duration.ofDays(2)));

    seen.forEach(shelf::delete);
    seen.forEach(shelf::delete);

    assertThat(shelf.all("node")).extracting(ProvidedTool::version).containsExactly("22.1.0");
    assertThat(directory.resolve("tools")).isDirectoryNotContaining("glob:**/.gone-*");
  }

  @Test
  void whatAKilledServerWasDeletingIsDeleted() throws IOException {
    Path half = Files.createDirectories(directory.resolve("tools/.gone-half/bin"));

    assertThat(new ToolShelf(directory.resolve("tools")).kept()).isEmpty();
    assertThat(half).doesNotExist();
  }

  private Found find(String range) throws InterruptedException {
    return supply().find(wish(range));
  }

  private Supply supply() {
    Path tools = directory.resolve("tools");
    return new Supply(
        tools.resolve(".fetching"),
        _ -> ofHost,
        new ToolShelf(tools),
        Map.of(
            "node", (n, r, p) -> source.fetch(n, r, p), "npm", (n, r, p) -> source.fetch(n, r, p)),
        (name, tool) -> trial.runs(name, tool),
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private static Wish wish(String range) {
    return new Wish("node", range, VersionRange.parse(range).orElseThrow(), Optional.empty());
  }

  private void host(String version) {
    ofHost.add(tool(version));
  }

  private static ProvidedTool tool(String version) {
    return new ProvidedTool("node", version, List.of(), Optional.empty());
  }

  /** A tool of the first version that the range names. */
  private Fetched complete(VersionRange range, Path place) {
    attempts.add(range.forNpm());
    Version version = range.named().orElseThrow();
    try {
      Path bin = Files.createDirectory(place.resolve("bin"));
      Files.writeString(bin.resolve("node"), version.toString());
      return new Fetched.Complete(version, place, List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
