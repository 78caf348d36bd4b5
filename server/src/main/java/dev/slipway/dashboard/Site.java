package dev.slipway.dashboard;

import dev.slipway.account.Actor;
import dev.slipway.account.SignedIn;
import dev.slipway.api.BodyTimeLimit;
import dev.slipway.api.Caller;
import dev.slipway.api.LocalApi;
import dev.slipway.api.OffLoop;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * The routes of the pages, and what each request meets on its way: who is signed in, whether he may
 * do that, and whether a page of ours asks for it. What fails is a page too.
 */
final class Site {
  static final String BASE = "/dashboard";

  /** The largest form is one of variables: 512 KiB of them, each byte written as three. */
  private static final long MAX_FORM_BYTES = 2 << 20;

  /** Of whoever may come: an e-mail address, a name, a password. */
  private static final long MAX_OPEN_FORM_BYTES = 16 << 10;

  private final Router router;
  private final OffLoop offLoop;
  private final BodyTimeLimit bodyTime;
  private final LocalApi api;
  private final Framing framing;
  private final Doorkeeper doorkeeper;
  private final Admittance admittance;

  Site(
      Router router,
      OffLoop offLoop,
      BodyTimeLimit bodyTime,
      LocalApi api,
      Framing framing,
      Doorkeeper doorkeeper) {
    this.router = router;
    this.offLoop = offLoop;
    this.bodyTime = bodyTime;
    this.api = api;
    this.framing = framing;
    this.doorkeeper = doorkeeper;
    this.admittance = new Admittance(offLoop, doorkeeper);
  }

  /** A page to look at, for everybody who is signed in. */
  void get(String path, Pages.Handler handler) {
    get(path, Pages.Need.ANY, handler);
  }

  void get(String path, Pages.Need need, Pages.Handler handler) {
    look(path).handler(admittance.toPage(need));
    look(path).handler(context -> answer(context, () -> show(context, handler)));
  }

  /**
   * Something to do.
   *
   * @param again the page that it was asked for on: shown again with the reason where it is refused
   */
  void post(String path, Pages.Need need, Pages.Handler handler, Pages.Handler again) {
    router.post(BASE + path).handler(admittance.toPage(need));
    form(path, MAX_FORM_BYTES)
        .handler(context -> answer(context, () -> carryOut(context, handler, again)));
  }

  /** A page for who is not signed in. */
  void openGet(String path, Function<RoutingContext, Reply> handler) {
    look(path)
        .handler(
            context -> answer(context, () -> framing.prepare(context, handler.apply(context))));
  }

  void openPost(String path, Function<RoutingContext, Reply> handler) {
    router
        .post(BASE + path)
        .handler(context -> {
          doorkeeper.requireOurOrigin(context.request());
          context.next();
        });
    form(path, MAX_OPEN_FORM_BYTES)
        .handler(
            context -> answer(context, () -> framing.prepare(context, handler.apply(context))));
  }

  /**
   * An operation of the API as it is, for what is a stream or a file.
   *
   * @param need who may use it
   */
  void operation(String path, String operation, Pages.Need need) {
    router.route(BASE + path).handler(admittance.toOperation(need));
    router
        .route(BASE + path)
        .handler(context -> {
          Answering.protect(context.response());
          caller(entry(context).who()).of(context);
          context.next();
        });
    api.mount(router, BASE + path, operation);
  }

  /** The last handlers: for what no route has. */
  void finish() {
    get("/*", Site::missing);
    router.route().failureHandler(new ErrorPages(offLoop, framing)::fail);
  }

  private static Reply missing(Visit visit) {
    throw new RequestException(
        ErrorCode.NOT_FOUND, "There is no page at %s.".formatted(visit.context().request().path()));
  }

  private Route look(String path) {
    return router.route(BASE + path).method(HttpMethod.GET).method(HttpMethod.HEAD);
  }

  /** A route behind those that read a form. */
  private Route form(String path, long maxBytes) {
    router.post(BASE + path).handler(bodyTime);
    router.post(BASE + path).handler(BodyHandler.create(false).setBodyLimit(maxBytes));
    return router.post(BASE + path);
  }

  private void answer(RoutingContext context, Callable<Answering.Ready> page) {
    Answering.protect(context.response());
    offLoop.run(context, page, Answering.Ready::write);
  }

  private Answering.Ready show(RoutingContext context, Pages.Handler handler) {
    return framing.prepare(context, handler.handle(visit(context, Form.NONE)));
  }

  private Answering.Ready carryOut(
      RoutingContext context, Pages.Handler handler, Pages.Handler again) {
    doorkeeper.requireOurForm(context.request(), entry(context));
    Visit visit = visit(context, new Form(context.request().formAttributes()));
    try {
      return framing.prepare(context, handler.handle(visit));
    } catch (RequestException e) {
      if (!isTheForms(e.code())) {
        throw e;
      }
      String why = String.valueOf(e.getMessage());
      Reply shown =
          switch (again.handle(visit.refused(why))) {
            case Reply.Page page ->
                new Reply.Page(
                    e.code().httpStatus(),
                    page.template(),
                    page.title(),
                    page.section(),
                    page.page());
            case Reply other -> other;
          };
      return framing.prepare(context, shown, Optional.of(why));
    }
  }

  /** Whether the page with the form can be shown again; otherwise it may not be there. */
  private static boolean isTheForms(ErrorCode code) {
    return switch (code) {
      case INVALID_REQUEST,
          INVALID_JSON,
          INVALID_CURSOR,
          ROLLBACK_NOT_ALLOWED,
          CONFLICT,
          IDEMPOTENCY_IN_PROGRESS,
          IDEMPOTENCY_MISMATCH,
          PAYLOAD_TOO_LARGE,
          UNSUPPORTED_MEDIA_TYPE,
          RATE_LIMITED,
          UNAVAILABLE ->
          true;
      case UNAUTHORIZED, FORBIDDEN, NOT_FOUND, METHOD_NOT_ALLOWED, INTERNAL_ERROR -> false;
    };
  }

  private Visit visit(RoutingContext context, Form form) {
    SignedIn who = entry(context).who();
    return new Visit(context, caller(who), who, api, form, Optional.empty());
  }

  private Caller caller(SignedIn who) {
    return new Caller(who.account(), new Actor.User(who), () -> doorkeeper.lasts(who));
  }

  private static Doorkeeper.Entry entry(RoutingContext context) {
    return Admittance.of(context).orElseThrow();
  }
}
