package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.TransientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a request that failed is answered: everything that can be thrown has an error code here. */
public final class ErrorMapper {
  private static final Logger log = LoggerFactory.getLogger(ErrorMapper.class);

  private ErrorMapper() {}

  record ErrorView(Body error) {
    record Body(String code, String message) {}
  }

  /** What to answer; what is our own fault is logged, with its cause, and nowhere else. */
  public static RequestException map(Throwable failure, String requestId) {
    return switch (failure) {
      case RequestException known -> known;
      case TransientException away -> {
        log.warn("request={} unavailable: {}", requestId, away.toString());
        yield new RequestException(
            ErrorCode.UNAVAILABLE, "The service cannot do this right now; please try again.");
      }
      default -> {
        log.error("request={} failed", requestId, failure);
        yield new RequestException(
            ErrorCode.INTERNAL_ERROR,
            "Something went wrong on our side; request %s is in the log.".formatted(requestId));
      }
    };
  }

  static byte[] body(RequestException failure) {
    return Json.write(
        new ErrorView(
            new ErrorView.Body(failure.code().wireName(), String.valueOf(failure.getMessage()))));
  }
}
