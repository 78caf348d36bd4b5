package dev.slipway.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The files of a commit on disk. What it holds is not ours: every read stays inside {@code root},
 * whatever links the repository holds.
 *
 * @param root the directory of the application's files
 * @param notes sentences for the user about what of the repository is not there, and why
 */
public record Checkout(Path root, Commit commit, List<String> notes) {
  /** Manifests are small; a larger file is not read. */
  private static final long MAX_TEXT_BYTES = 4L << 20;

  public Checkout {
    notes = List.copyOf(notes);
  }

  /** One in which all is there. */
  public Checkout(Path root, Commit commit) {
    this(root, commit, List.of());
  }

  /** Whether {@code relative} is a regular file, or a link to one, inside the checkout. */
  public boolean hasFile(String relative) {
    return inside(relative).filter(Files::isRegularFile).isPresent();
  }

  /**
   * The text of a file, malformed bytes replaced; empty where there is none inside the checkout, or
   * one of more than 4 MiB.
   */
  public Optional<String> text(String relative) {
    try {
      Optional<Path> file = inside(relative).filter(Files::isRegularFile);
      if (file.isEmpty() || Files.size(file.get()) > MAX_TEXT_BYTES) {
        return Optional.empty();
      }
      return Optional.of(new String(Files.readAllBytes(file.get()), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + relative + " of the checkout failed", e);
    }
  }

  private Optional<Path> inside(String relative) {
    Path path = root.resolve(relative);
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      Path real = path.toRealPath();
      return real.startsWith(root.toRealPath()) ? Optional.of(real) : Optional.empty();
    } catch (IOException danglingOrLooping) {
      return Optional.empty();
    }
  }
}
