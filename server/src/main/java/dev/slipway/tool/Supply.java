package dev.slipway.tool;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** Finds one tool: on the host, on the shelf, at its source, and else the nearest. Thread-safe. */
final class Supply {
  private final Path workplaces;
  private final Host host;
  private final ToolShelf shelf;
  private final Map<String, ToolSource> sources;
  private final Trial trial;
  private final Clock clock;
  private final ConcurrentMap<String, ReentrantLock> fetching = new ConcurrentHashMap<>();
  private final VainAttempts vain;

  /**
   * @param workplaces made if absent; what was there is deleted
   */
  Supply(
      Path workplaces,
      Host host,
      ToolShelf shelf,
      Map<String, ToolSource> sources,
      Trial trial,
      Clock clock) {
    this.workplaces = workplaces;
    this.host = host;
    this.shelf = shelf;
    this.sources = Map.copyOf(sources);
    this.trial = trial;
    this.clock = clock;
    this.vain = new VainAttempts(clock);
    Trees.delete(workplaces);
  }

  /**
   * @param text the range in the application's own words
   * @param node that a package manager has to run with
   */
  record Wish(String name, String text, VersionRange range, Optional<Version> node) {}

  record Found(ProvidedTool tool, Optional<String> warning) {}

  /**
   * @throws AppFailure {@code INSTALL_FAILED} if there is no version at all
   */
  Found find(Wish wish) throws InterruptedException {
    Optional<ProvidedTool> present = present(wish);
    if (present.isPresent()) {
      return new Found(present.get(), Optional.empty());
    }
    ReentrantLock lock = fetching.computeIfAbsent(wish.name(), _ -> new ReentrantLock());
    lock.lockInterruptibly();
    try {
      present = present(wish); // another may have fetched it meanwhile
      return present.isPresent()
          ? new Found(present.get(), Optional.empty())
          : fetchedOrNearest(wish);
    } finally {
      lock.unlock();
    }
  }

  private Optional<ProvidedTool> present(Wish wish) throws InterruptedException {
    for (ProvidedTool tool : host.all(wish.name())) {
      Version version = version(tool);
      boolean runs = wish.node().map(node -> Needs.met(wish.name(), version, node)).orElse(true);
      if (wish.range().allows(version) && runs) {
        return Optional.of(tool);
      }
    }
    return shelf.all(wish.name()).stream()
        .filter(tool -> wish.range().allows(version(tool)))
        .sorted(Comparator.comparing(Supply::version).reversed())
        .filter(tool -> shelf.use(tool, clock.instant()))
        .findFirst();
  }

  /** Where there is no such version, one of the same major version will do, or else any. */
  private Found fetchedOrNearest(Wish wish) throws InterruptedException {
    List<VersionRange> ranges =
        Stream.of(wish.range(), wish.range().wholeMajor(), VersionRange.ANY).distinct().toList();
    for (VersionRange range : ranges) {
      boolean asked = range.equals(wish.range());
      Optional<ProvidedTool> near = asked ? Optional.empty() : nearest(wish, range);
      if (near.isPresent()) {
        return instead(wish, near.get(), "");
      }
      switch (fetch(wish.name(), range)) {
        case Fetched.Complete complete -> {
          ProvidedTool kept =
              shelf.put(
                  wish.name(),
                  complete.version(),
                  complete.tree(),
                  complete.needs(),
                  clock.instant());
          return asked ? new Found(kept, Optional.empty()) : instead(wish, kept, "");
        }
        case Fetched.Unreachable unreachable -> {
          return nearest(wish, VersionRange.ANY)
              .map(tool -> instead(wish, tool, unreachable.why()))
              .orElseThrow(() -> nothing(wish, unreachable.why()));
        }
        case Fetched.NoSuchVersion _ -> {} // the next range
      }
    }
    throw nothing(wish, "");
  }

  private Optional<ProvidedTool> nearest(Wish wish, VersionRange within)
      throws InterruptedException {
    Optional<Version> named = wish.range().named();
    List<ProvidedTool> ofHost = host.all(wish.name());
    return Stream.concat(ofHost.stream(), shelf.all(wish.name()).stream())
        .filter(tool -> within.allows(version(tool)))
        .sorted(
            Comparator.comparingLong(
                tool -> named.map(it -> it.distance(version(tool))).orElse(0L)))
        .filter(tool -> ofHost.contains(tool) || shelf.use(tool, clock.instant()))
        .findFirst();
  }

  private Fetched fetch(String name, VersionRange range) throws InterruptedException {
    String attempt = name + "@" + range.forNpm();
    Optional<Fetched> earlier = vain.answer(attempt);
    if (earlier.isPresent()) {
      return earlier.get();
    }
    Fetched fetched = fetchNow(name, range);
    vain.remember(attempt, fetched);
    return fetched;
  }

  private Fetched fetchNow(String name, VersionRange range) throws InterruptedException {
    Path workplace = workplaces.resolve(name);
    try {
      Trees.delete(workplace);
      Files.createDirectories(workplace);
      if (Files.getAttribute(workplace, "unix:uid").equals(0)) {
        Files.setAttribute(workplace, "unix:uid", ToolRuns.UID);
        Files.setAttribute(workplace, "unix:gid", ToolRuns.UID);
      }
      Fetched fetched = Objects.requireNonNull(sources.get(name)).fetch(name, range, workplace);
      return fetched instanceof Fetched.Complete complete && !trial.runs(name, complete)
          ? new Fetched.NoSuchVersion()
          : fetched;
    } catch (AppFailure noFetcher) {
      return new Fetched.Unreachable(String.valueOf(noFetcher.getMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException("fetching into " + workplace + " failed", e);
    }
  }

  private static Found instead(Wish wish, ProvidedTool tool, String why) {
    return new Found(
        tool, Optional.of(ToolSentences.instead(wish.name(), wish.text(), tool.version(), why)));
  }

  private static AppFailure nothing(Wish wish, String why) {
    return new AppFailure(
        FailureCode.INSTALL_FAILED, ToolSentences.nothing(wish.name(), wish.text(), why));
  }

  private static Version version(ProvidedTool tool) {
    return Version.parse(tool.version()).orElseThrow();
  }
}
