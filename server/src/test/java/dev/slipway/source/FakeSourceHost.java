package dev.slipway.source;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A git host with one commit, whose files a test puts there. It can be told to fail once. */
public final class FakeSourceHost implements SourceHost {
  public static final Commit HEAD = new Commit("0123456789abcdef".repeat(2) + "01234567", "Begin");

  private final Map<String, String> files = new ConcurrentHashMap<>();
  private final List<SourceRef> asked = new CopyOnWriteArrayList<>();
  private volatile List<String> branches = List.of("main", "next");
  private volatile Optional<RuntimeException> failure = Optional.empty();

  public void write(String path, String content) {
    files.put(path, content);
  }

  /** Its repositories have these from now on. */
  public void branch(List<String> names) {
    branches = List.copyOf(names);
  }

  /** The next call of any method throws this. */
  public void failOnce(RuntimeException next) {
    failure = Optional.of(next);
  }

  /** What was to be fetched, in the order in which that was found out. */
  public List<SourceRef> asked() {
    return asked;
  }

  @Override
  public String kind() {
    return "github";
  }

  @Override
  public String resolve(SourceRef ref) {
    asked.add(ref);
    failIfTold();
    if (!ref.commitSha().map(HEAD.sha()::startsWith).orElse(true)) {
      throw new AppFailure(FailureCode.COMMIT_NOT_FOUND, "There is no such commit.");
    }
    return HEAD.sha();
  }

  @Override
  public Checkout fetch(SourceRef ref, String sha, Path directory) {
    failIfTold();
    try {
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path path = directory.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to " + directory + " failed", e);
    }
    return new Checkout(directory, HEAD);
  }

  @Override
  public List<String> branches(RepoName repo) {
    failIfTold();
    return branches;
  }

  private void failIfTold() {
    Optional<RuntimeException> told = failure;
    failure = Optional.empty();
    if (told.isPresent()) {
      throw told.get();
    }
  }
}
