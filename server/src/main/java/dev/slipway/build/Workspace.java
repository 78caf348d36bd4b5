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
import java.util.Set;
import java.util.function.Function;

/**
 * The directory of one build. Closing it ends what still runs there and deletes it all.
 *
 * <pre>
 * source-…/   the checkout of a commit; kept over a restart
 * message-…   the first line of the commit's message; with it the checkout is complete
 * app/        the copy that the steps work on, which becomes the release
 * npm/        the account's download cache, while no step has it
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
    Trees.delete(app());
    Trees.delete(npmCache());
  }

  Path app() {
    return directory.resolve("app");
  }

  Path npmCache() {
    return directory.resolve("npm");
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
    Path message = directory.resolve("message-" + sha); // written last
    try {
      if (Files.exists(message)) {
        return new Checkout(source, new Commit(sha, Files.readString(message)));
      }
      Trees.delete(source);
      Files.createDirectories(directory);
      Checkout checkout = fetch.apply(source);
      Path fresh = directory.resolve("message");
      Files.writeString(fresh, checkout.commit().message());
      Files.move(fresh, message, StandardCopyOption.ATOMIC_MOVE);
      return checkout;
    } catch (IOException e) {
      throw new UncheckedIOException("writing to " + directory + " failed", e);
    }
  }

  @Override
  public void close() {
    sandbox.endLeftovers(runs(), Set.of());
    Trees.delete(directory);
  }

  private Path runs() {
    return directory.resolve("runs");
  }
}
