package dev.slipway.api;

import dev.slipway.account.Callers;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.edge.ClientAddress;
import dev.slipway.hook.GitHooks;
import dev.slipway.hook.HookDelivery;
import dev.slipway.hook.HookRequest;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Where git hosts send their messages: outside of the contract, without a key. The head is looked
 * at before the body is read. Messages that nobody signed are counted like requests without a valid
 * key; those that are signed are counted as requests of the account whose project they are for, not
 * of their address, as many projects' come from one address of their host.
 */
final class GitHookEntrance {
  private static final String PATH = "/hooks/git/:project_id";
  private static final int MAX_BYTES = 10 << 20;

  /** Of an address that sent too much without proof: so its host's usual messages still pass. */
  private static final int MAX_DOUBTED_BYTES = 256 << 10;

  /** In memory while they are read and taken; what is made of each comes on top. */
  private static final long MAX_BYTES_AT_ONCE = 64L << 20;

  private static final String UNPROVEN =
      "More than %d requests of this address in this minute came without proof of who sent them";

  private final Vertx vertx;
  private final OffLoop offLoop;
  private final GitHooks hooks;
  private final Callers callers;
  private final ClientAddress addresses;
  private final Api.Http http;
  private final Clock clock;

  GitHookEntrance(
      Vertx vertx, OffLoop offLoop, GitHooks hooks, Callers callers, Api.Http http, Clock clock) {
    this.vertx = vertx;
    this.offLoop = offLoop;
    this.hooks = hooks;
    this.callers = callers;
    this.addresses = new ClientAddress(http.trustedProxies());
    this.http = http;
    this.clock = clock;
  }

  /** What a git host is told; people see it in its list of what it sent. */
  record View(
      String id,
      String outcome,
      String reason,
      Optional<String> deploymentId,
      Optional<String> previewId) {
    static View of(HookDelivery delivery) {
      return new View(
          delivery.id().value(),
          delivery.outcome().wireName(),
          delivery.reason(),
          delivery.deploymentId().map(DeploymentId::value),
          delivery.previewId().map(PreviewId::value));
    }
  }

  void mount(Router router) {
    router.post(PATH).handler(this::look);
    router.post(PATH).handler(new BodyTimeLimit(vertx, http.bodyTime()));
    router.post(PATH).handler(new RawBody(MAX_BYTES, new BodyBudget(MAX_BYTES_AT_ONCE)));
    router.post(PATH).handler(this::take);
    router.route(PATH).handler(ContractRoutes.refuseMethod(Set.of("POST")));
  }

  private void look(RoutingContext context) {
    HttpServerRequest request = context.request();
    HookRequest head = message(request, new byte[0]);
    String address = addresses.of(request);
    boolean small = isSmall(request);
    request.pause();
    offLoop.run(
        context,
        () ->
            counted(
                context,
                address,
                () -> {
                  hooks.requirePossible(project(context), head);
                  if (!small) {
                    requireLeft(
                        context, callers.look(Optional.empty(), address), unproven(), UNPROVEN);
                  }
                  return head;
                }),
        _ -> {
          context.next();
          // Last: whoever reads the body is there by now.
          request.resume();
        });
  }

  private void take(RoutingContext context) {
    if (context.response().ended()) {
      return; // The body came after it had been given up.
    }
    HookRequest message = message(context.request(), RawBody.of(context));
    String address = addresses.of(context.request());
    offLoop.run(
        context,
        () ->
            Rendered.of(
                new Answer.Data(
                    200, View.of(counted(context, address, () -> receive(context, message))))),
        answer ->
            Answers.write(
                context.request(),
                new Answers.Encoded(
                    answer.status(), Answers.JSON, answer.body(), Optional.empty())));
  }

  private HookDelivery receive(RoutingContext context, HookRequest message) {
    ProjectId project = project(context);
    Callers.Caller owner = callers.count(hooks.requireProven(project, message));
    int limit =
        owner
            .account()
            .map(it -> http.requestsPerMinute().applyAsInt(it.tier()))
            .orElse(unproven());
    requireLeft(
        context,
        owner,
        limit,
        "The account made more than %d requests in this minute, messages of git hosts among them");
    return hooks.receive(project, message);
  }

  private <T> T counted(RoutingContext context, String address, Supplier<T> work) {
    try {
      return work.get();
    } catch (RequestException refused) {
      if (refused.code() == ErrorCode.UNAUTHORIZED || refused.code() == ErrorCode.NOT_FOUND) {
        count(context, address);
      }
      throw refused;
    }
  }

  private void count(RoutingContext context, String address) {
    requireLeft(context, callers.count(Optional.empty(), address), unproven(), UNPROVEN);
  }

  private int unproven() {
    return http.unauthenticatedPerMinute();
  }

  private void requireLeft(
      RoutingContext context, Callers.Caller caller, int limit, String sentence) {
    if (caller.requests() <= limit) {
      return;
    }
    long seconds = Math.max(1, Duration.between(clock.instant(), caller.windowEnd()).toSeconds());
    context.response().putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
    throw new RequestException(
        ErrorCode.RATE_LIMITED,
        "%s; try again in %d s.".formatted(sentence.formatted(limit), seconds));
  }

  /** One that does not say its length may be of any. */
  private static boolean isSmall(HttpServerRequest request) {
    return request.getHeader(HttpHeaders.CONTENT_LENGTH) != null
        && RawBody.announced(request) <= MAX_DOUBTED_BYTES;
  }

  private static ProjectId project(RoutingContext context) {
    String id = Objects.requireNonNull(context.pathParam("project_id"));
    if (id.indexOf(0) >= 0) {
      throw new RequestException(ErrorCode.NOT_FOUND, "No identifier holds a NUL.");
    }
    return new ProjectId(id);
  }

  private static HookRequest message(HttpServerRequest request, byte[] body) {
    Map<String, String> headers = new HashMap<>();
    request
        .headers()
        .forEach((name, value) -> headers.putIfAbsent(name.toLowerCase(Locale.ROOT), value));
    return new HookRequest(headers, body);
  }
}
