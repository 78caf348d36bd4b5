package dev.slipway.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks one address over 64 connections that are kept, as fast as it answers, with {@code wrk}. */
record Wrk(int port, String host, String path) {
  private static final int CONNECTIONS = 64;
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
  private static final Pattern P99 = Pattern.compile("99%\\s+([0-9.]+)(us|ms|s)");

  /** What came of it: answers in a second, and the time that 99 of 100 stay below. */
  record Report(double perSecond, double p99Millis) {}

  /** Fails where an answer was not 200 or did not come. */
  Report run(Duration time) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "wrk",
                "--threads=1",
                "--connections=" + CONNECTIONS,
                "--duration=" + time.toSeconds() + "s",
                "--latency",
                "--header=Host: " + host,
                "http://127.0.0.1:" + port + path)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher rate = RATE.matcher(output);
    Matcher p99 = P99.matcher(output);
    if (process.waitFor() != 0
        || output.contains("Socket errors")
        || output.contains("Non-2xx")
        || !rate.find()
        || !p99.find()) {
      throw new IllegalStateException("%s: %s".formatted(this, output));
    }
    return new Report(
        Double.parseDouble(rate.group(1)),
        Double.parseDouble(p99.group(1))
            * switch (p99.group(2)) {
              case "us" -> 1e-3;
              case "ms" -> 1;
              default -> 1e3;
            });
  }
}
