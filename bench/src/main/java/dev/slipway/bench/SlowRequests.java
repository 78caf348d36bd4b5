package dev.slipway.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Answers of {@link StreamingApp} that take two seconds, asked for again and again. */
final class SlowRequests {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final URI address;
  private final String host;
  private final LongAdder requests = new LongAdder();
  private final Faults faults = new Faults();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  private SlowRequests(int port, String host) {
    this.address = URI.create("http://127.0.0.1:" + port + "/slow");
    this.host = host;
  }

  /**
   * @param failed cut short, or with a part of another release
   */
  record Report(long requests, long failed, List<String> firstFaults) {}

  static SlowRequests start(int port, String host, int count) {
    SlowRequests slow = new SlowRequests(port, host);
    for (int i = 0; i < count; i++) {
      slow.threads.add(Thread.ofVirtual().name("slow-" + i).start(slow::ask));
    }
    return slow;
  }

  Report end() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    return new Report(requests.sum(), faults.count(), faults.first());
  }

  private void ask() {
    while (!ended) {
      requests.increment();
      // A new client has a new connection.
      try (HttpClient client =
          HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
        HttpRequest request =
            HttpRequest.newBuilder(address).header("Host", host).timeout(TIMEOUT).build();
        judge(client.send(request, HttpResponse.BodyHandlers.ofString()));
      } catch (IOException e) {
        faults.add("cut short: " + e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void judge(HttpResponse<String> answer) {
    List<String> lines = answer.body().lines().toList();
    if (answer.statusCode() != 200 || lines.size() != StreamingApp.SLOW_LINES + 1) {
      faults.add("status %d, %d lines".formatted(answer.statusCode(), lines.size()));
      return;
    }
    String mark = lines.getLast();
    for (int i = 0; i < StreamingApp.SLOW_LINES; i++) {
      if (!lines.get(i).equals(mark + " " + i)) {
        faults.add("line %d of %s is %s".formatted(i, mark, lines.get(i)));
        return;
      }
    }
  }
}
