package dev.slipway.hook.host;

import java.util.List;
import java.util.Map;

/** A git host for tests of those who tell it something. */
public final class TestHost implements AutoCloseable {
  private final FakeGithub host = FakeGithub.github();

  /** What stands beside the commit. */
  public record Status(CommitStatus.State state, String description, String target) {}

  public GitHostApi api() {
    return host.api(host.token());
  }

  /** The status of a context. */
  public Status status(String context) {
    return host.statuses().stream()
        .filter(it -> it.context().equals(context))
        .map(it -> new Status(it.state(), it.description(), it.target()))
        .findFirst()
        .orElseThrow();
  }

  /** The comments below the pull request. */
  public List<String> comments() {
    return host.comments().stream().map(GitHostPlace.Said::text).toList();
  }

  public void deleteComments() {
    host.comments().forEach(host::delete);
  }

  /** The next requests are answered so, whatever they are. */
  public void answerNext(int status, int times) {
    for (int i = 0; i < times; i++) {
      host.answerNext(status, Map.of());
    }
  }

  public List<String> requests() {
    return host.requests();
  }

  @Override
  public void close() {
    host.close();
  }
}
