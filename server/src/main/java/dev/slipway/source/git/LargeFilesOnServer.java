package dev.slipway.source.git;

import dev.slipway.core.Secret;
import dev.slipway.source.FetchCount;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The large files of a repository on an HTTP host: the batch API of Git LFS, basic transfers. */
final class LargeFilesOnServer implements LargeFiles {
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);
  private static final String JSON = "application/vnd.git-lfs+json";
  private static final String ELSEWHERE = "the repository's host does not say where it is";
  private static final int PER_QUESTION = 100;
  private static final int AT_ONCE = 4;
  private static final int MAX_REDIRECTS = 5;
  private static final int MAX_ANSWER_BYTES = 4 << 20;

  private final URI batch;
  private final OwnOrigin origin;
  private final AnsweredAddresses addresses;
  private final FetchCount count;

  /**
   * @param repository its address for git
   */
  LargeFilesOnServer(URI repository, Optional<Secret> token, FetchCount count) {
    this.batch = URI.create(repository + "/info/lfs/objects/batch");
    this.origin = new OwnOrigin(repository, token);
    this.addresses = new AnsweredAddresses(repository);
    this.count = count;
  }

  @Override
  public Map<LfsPointer, String> download(Collection<LfsPointer> wanted, Path directory)
      throws IOException {
    Map<LfsPointer, String> missing = new ConcurrentHashMap<>();
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(ANSWERS_WITHIN)
            .build()) {
      List<LfsPointer> left = List.copyOf(wanted);
      for (int from = 0; from < left.size(); from += PER_QUESTION) {
        List<LfsPointer> some = left.subList(from, Math.min(left.size(), from + PER_QUESTION));
        download(client, some, directory, missing);
      }
    }
    return missing;
  }

  private void download(
      HttpClient client, List<LfsPointer> wanted, Path directory, Map<LfsPointer, String> missing)
      throws IOException {
    LfsAnswer answer;
    try (Response response = send(client, question(wanted), batch, Map.of())) {
      if (response.status() != 200) {
        String why = "%s answered with HTTP status %d".formatted(batch, response.status());
        wanted.forEach(pointer -> missing.put(pointer, why));
        return;
      }
      answer = LfsAnswer.parse(response.body().readNBytes(MAX_ANSWER_BYTES));
    } catch (AnsweredAddresses.Refused e) {
      wanted.forEach(pointer -> missing.put(pointer, String.valueOf(e.getMessage())));
      return;
    }
    // Closing waits for the threads, and passes an interruption on to them.
    try (ExecutorService threads =
        Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
      List<Future<Optional<String>>> running = new ArrayList<>();
      for (LfsPointer pointer : wanted) {
        Optional<LfsAnswer.Item> item = Optional.ofNullable(answer.objects().get(pointer.oid()));
        running.add(threads.submit(() -> download(client, pointer, item, directory)));
      }
      try {
        for (int i = 0; i < wanted.size(); i++) {
          LfsPointer pointer = wanted.get(i);
          running.get(i).get().ifPresent(why -> missing.put(pointer, why));
        }
      } finally {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  /** Why it cannot be had; empty if it was. */
  private Optional<String> download(
      HttpClient client, LfsPointer pointer, Optional<LfsAnswer.Item> item, Path directory)
      throws IOException {
    Optional<URI> href = item.flatMap(LfsAnswer.Item::href);
    if (href.isEmpty()) {
      return Optional.of(item.flatMap(LfsAnswer.Item::refusal).orElse(ELSEWHERE));
    }
    HttpRequest.Builder request = HttpRequest.newBuilder().GET();
    try (Response response = send(client, request, href.get(), item.get().header())) {
      if (response.status() != 200) {
        return Optional.of(
            "%s answered with HTTP status %d".formatted(href.get().getHost(), response.status()));
      }
      return CheckedFile.write(response.body(), pointer, directory, count)
          ? Optional.empty()
          : Optional.of("what %s keeps for it is another file".formatted(href.get().getHost()));
    } catch (AnsweredAddresses.Refused e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static HttpRequest.Builder question(List<LfsPointer> wanted) throws IOException {
    return HttpRequest.newBuilder()
        .header("Accept", JSON)
        .header("Content-Type", JSON)
        .POST(BodyPublishers.ofByteArray(LfsAnswer.question(wanted)));
  }

  private record Response(int status, InputStream body) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      body.close();
    }
  }

  /**
   * The answer below 500, redirects followed.
   *
   * @param header for this address and none that it redirects to
   */
  private Response send(
      HttpClient client, HttpRequest.Builder request, URI address, Map<String, String> header)
      throws IOException {
    URI at = address;
    for (int hop = 0; hop <= MAX_REDIRECTS; hop++) {
      Map<String, String> own = OwnOrigin.same(address, at) ? header : Map.of();
      addresses.require(at);
      HttpResponse<InputStream> response = sendOnce(client, request.copy(), at, own);
      Optional<String> location = response.headers().firstValue("Location");
      if (response.statusCode() / 100 != 3 || location.isEmpty()) {
        return response(at, response);
      }
      response.body().close();
      at = redirected(at, location.get());
    }
    throw new IOException("%s redirects without end".formatted(address.getHost()));
  }

  private static Response response(URI at, HttpResponse<InputStream> response) throws IOException {
    int status = response.statusCode();
    if (status >= 500 || status == 429) {
      response.body().close();
      throw new IOException(
          "the Git LFS of %s answered with HTTP status %d".formatted(at.getHost(), status));
    }
    return new Response(status, response.body());
  }

  private static URI redirected(URI from, String location) throws IOException {
    try {
      URI to = from.resolve(location);
      boolean secure = "https".equals(to.getScheme());
      boolean plain = "http".equals(to.getScheme()) && "http".equals(from.getScheme());
      if (to.getHost() != null && (secure || plain)) {
        return to;
      }
    } catch (IllegalArgumentException malformed) {
      // said below
    }
    throw new IOException("%s redirects to no address".formatted(from.getHost()));
  }

  private HttpResponse<InputStream> sendOnce(
      HttpClient client, HttpRequest.Builder request, URI address, Map<String, String> header)
      throws IOException {
    request.uri(address).timeout(ANSWERS_WITHIN);
    header.forEach((name, value) -> setIfAllowed(request, name, value));
    if (header.keySet().stream().noneMatch("Authorization"::equalsIgnoreCase)) {
      origin
          .authorization(address.getScheme(), address.getHost(), address.getPort())
          .ifPresent(login -> request.setHeader("Authorization", login));
    }
    try {
      return client.send(request.build(), BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Those of the connection itself, such as Host, are the client's own affair. */
  private static void setIfAllowed(HttpRequest.Builder request, String name, String value) {
    try {
      request.setHeader(name, value);
    } catch (IllegalArgumentException restricted) {
      // without it then
    }
  }

  private static CancellationException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    CancellationException canceled = new CancellationException("fetching was interrupted");
    canceled.initCause(cause);
    return canceled;
  }
}
