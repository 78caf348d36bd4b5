package dev.slipway.dashboard;

import dev.slipway.api.OffLoop;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Lets a request pass if whoever makes it may make it, before anything of its body is read. */
final class Admittance {
  private static final String ENTRY = "entry";

  private final OffLoop offLoop;
  private final Doorkeeper doorkeeper;

  Admittance(OffLoop offLoop, Doorkeeper doorkeeper) {
    this.offLoop = offLoop;
    this.doorkeeper = doorkeeper;
  }

  /** What {@link #toPage} or {@link #toOperation} found; empty on pages for everybody. */
  static Optional<Doorkeeper.Entry> of(RoutingContext context) {
    return Optional.ofNullable(context.get(ENTRY));
  }

  /** Who is signed out is sent to the sign-in page, and comes back from there. */
  Handler<RoutingContext> toPage(Pages.Need need) {
    return context ->
        admit(
            context,
            entry -> {
              if (!isLook(context.request())) {
                doorkeeper.requireOurOrigin(context.request());
              }
              Doorkeeper.require(need, entry.who());
            },
            () -> Answering.redirect(context.request(), signIn(context.request())));
  }

  /** For what scripts of our pages ask for, reading included: nobody else's may, nor is sent on. */
  Handler<RoutingContext> toOperation(Pages.Need need) {
    return context ->
        admit(
            context,
            entry -> {
              if (isLook(context.request())) {
                doorkeeper.requireOurOrigin(context.request());
              } else {
                doorkeeper.requireOurForm(context.request(), entry);
              }
              Doorkeeper.require(need, entry.who());
            },
            () ->
                context.fail(
                    new RequestException(
                        ErrorCode.UNAUTHORIZED, "You are signed out; sign in again.")));
  }

  private void admit(RoutingContext context, Consumer<Doorkeeper.Entry> check, Runnable signedOut) {
    HttpServerRequest request = context.request();
    request.pause();
    offLoop.run(
        context,
        () -> doorkeeper.find(request),
        found -> {
          if (found.isEmpty()) {
            signedOut.run();
            return;
          }
          check.accept(found.get());
          context.put(ENTRY, found.get());
          context.next();
          // Last: whoever reads the body is there by now.
          request.resume();
        });
  }

  static boolean isLook(HttpServerRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  private static String signIn(HttpServerRequest request) {
    String page = Site.BASE + "/sign-in";
    String back = isPart(request) ? shown(request) : isLook(request) ? request.uri() : "";
    return back.isEmpty() || back.equals(Site.BASE)
        ? page
        : page + "?next=" + URLEncoder.encode(back, StandardCharsets.UTF_8);
  }

  /** Whether a page asks for a part of itself. */
  private static boolean isPart(HttpServerRequest request) {
    return request.headers().contains("HX-Request");
  }

  /** The page that asks; whether it is one of ours is looked at when somebody goes there. */
  private static String shown(HttpServerRequest request) {
    String page = Objects.requireNonNullElse(request.getHeader("HX-Current-URL"), "");
    int path = page.indexOf(Site.BASE + "/");
    return path < 0 ? "" : page.substring(path);
  }
}
