package dev.slipway.webhook;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.http.HttpClosedException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Why an endpoint gave no answer, in the words of its owner. */
final class FaultSentence {
  private static final int MOST_QUOTED = 300;

  private FaultSentence() {}

  /**
   * @param limit of the attempt
   */
  static String of(String host, Throwable cause, Duration limit) {
    return switch (cause) {
      case Exchange.TimeLimit _ ->
          "%s did not answer within %d s.".formatted(host, limit.toSeconds());
      case ConnectTimeoutException _ -> "No connection to %s came about in time.".formatted(host);
      case ConnectException _ -> "%s refused the connection.".formatted(host);
      case SSLException tls -> "TLS with %s failed: %s.".formatted(host, quoted(tls));
      case HttpClosedException _ -> "%s closed the connection without an answer.".formatted(host);
      case TimeoutException _ -> "No connection to %s came about in time.".formatted(host);
      case DecoderException _, IllegalArgumentException _ ->
          "What %s answered is no HTTP.".formatted(host);
      case IOException broken -> "The connection to %s broke: %s.".formatted(host, quoted(broken));
      default -> "Sending to %s failed: %s.".formatted(host, quoted(cause));
    };
  }

  /** Some of it may come from the other side. */
  private static String quoted(Throwable cause) {
    String message =
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    String line = message.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= MOST_QUOTED ? line : line.substring(0, MOST_QUOTED) + "…";
  }
}
