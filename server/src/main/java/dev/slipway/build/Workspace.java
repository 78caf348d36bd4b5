package dev.slipway.build;

import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.Trees;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The directory of one build. Closing it ends what still runs there and deletes it all.
 *
 * <pre>
 * source-…/   the checkout of a commit; kept over a restart
 * message-…   the first line of the commit's message, then the checkout's notes, a line each; with it
 *             the checkout is complete
 * work/       what the steps write, which becomes the release
 * downloads/  of the account, while no step has them
 * runs/…/     one for each program that was run
 * </pre>
 */
final class Workspace implements AutoCloseable {
  private final Path directory;
  private final Sandbox sandbox;

  /** Ends and deletes what an earlier run for the same deployment left, save its checkout. */
  Workspace(Path directory, Sandbox sandbox) {
    this.directory = directory;
    this.sandbox = sandbox;
    sandbox.endLeftovers(runs(), Set.of());
    Trees.delete(runs());
    Trees.delete(work());
    Trees.delete(downloads());
  }

  /** All that the build writes is below it. */
  Path directory() {
    return directory;
  }

  /** The files that the steps work on: the checkout, not copied where that can be avoided. */
  WorkTree tree(Checkout checkout, BuildUser user) {
    if (!sandbox.overlays()) {
      return new CopiedTree(checkout.root(), work(), user);
    }
    try {
      user.giveAll(checkout.root());
    } catch (IOException e) {
      throw new UncheckedIOException("giving " + checkout.root() + " away failed", e);
    }
    return new LayeredTree(checkout.root(), work(), user);
  }

  Path downloads() {
    return directory.resolve("downloads");
  }

  /**
   * @param name of a program's run, used once
   */
  Path run(String name) {
    return runs().resolve(name);
  }

  /**
   * The checkout of a commit, from before where there is one.
   *
   * @param fetch puts it into the directory that it is given
   */
  Checkout source(String sha, Function<Path, Checkout> fetch) {
    Path source = directory.resolve("source-" + sha);
    Path message = message(sha); // written last
    try {
      if (Files.exists(message)) {
        List<String> lines = Files.readString(message).lines().toList();
        return new Checkout(
            source,
            new Commit(sha, lines.isEmpty() ? "" : lines.getFirst()),
            lines.stream().skip(1).toList());
      }
      Trees.delete(source);
      Files.createDirectories(directory);
      Checkout checkout = fetch.apply(source);
      Path fresh = directory.resolve("message");
      List<String> lines = new ArrayList<>(List.of(checkout.commit().message()));
      checkout.notes().forEach(note -> lines.add(note.replaceAll("\\R", " ")));
      Files.write(fresh, lines);
      Files.move(fresh, message, StandardCopyOption.ATOMIC_MOVE);
      return checkout;
    } catch (IOException e) {
      throw new UncheckedIOException("writing to " + directory + " failed", e);
    }
  }

  /** The checkout of a commit is about to be taken apart: a next run fetches it again. */
  void useUp(String sha) {
    try {
      Files.deleteIfExists(message(sha));
    } catch (IOException e) {
      throw new UncheckedIOException("writing to " + directory + " failed", e);
    }
  }

  @Override
  public void close() {
    sandbox.endLeftovers(runs(), Set.of());
    Trees.delete(directory);
  }

  private Path message(String sha) {
    return directory.resolve("message-" + sha);
  }

  private Path work() {
    return directory.resolve("work");
  }

  private Path runs() {
    return directory.resolve("runs");
  }
}
