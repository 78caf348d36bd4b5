package dev.slipway.edge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What came of a call to wake a deployment, as the processes tell each other through the store: a
 * call is the deployment's id on {@link #CALLS}, and this answers it on {@link #ANSWERS}.
 *
 * @param target of {@link Outcome#STARTED}
 */
record Woken(DeploymentId deployment, Outcome outcome, Optional<Target> target) {
  static final String CALLS = "slipway_wake";
  static final String ANSWERS = "slipway_woken";

  private static final ObjectMapper JSON = new ObjectMapper().registerModule(new Jdk8Module());

  enum Outcome {
    STARTED,
    /** It cannot be started. */
    FAILED,
    /** {@link Waker.Crashing}. */
    CRASHING,
    /** Not now; perhaps later. */
    UNKNOWN
  }

  /** What a {@link Waker} said. */
  static Woken of(DeploymentId deployment, @Nullable Target target, @Nullable Throwable failure) {
    if (target != null) {
      return new Woken(deployment, Outcome.STARTED, Optional.of(target));
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    Outcome outcome =
        switch (cause) {
          case AppFailure _ -> Outcome.FAILED;
          case Waker.Crashing _ -> Outcome.CRASHING;
          case null, default -> Outcome.UNKNOWN;
        };
    return new Woken(deployment, outcome, Optional.empty());
  }

  String text() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer to a call cannot be written as JSON", e);
    }
  }

  /** Empty for what this version does not understand. */
  static Optional<Woken> parse(String text) {
    try {
      return Optional.of(JSON.readValue(text, Woken.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
