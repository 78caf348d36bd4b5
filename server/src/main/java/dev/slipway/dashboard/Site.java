package dev.slipway.dashboard;

import dev.slipway.account.Actor;
import dev.slipway.account.SignedIn;
import dev.slipway.api.Caller;
import dev.slipway.api.ErrorMapper;
import dev.slipway.api.LocalApi;
import dev.slipway.api.OffLoop;
import dev.slipway.api.RequestId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The routes of the pages, and what each request meets on its way: who is signed in, whether he may
 * do that, and whether a page of ours asks for it. What fails is a page too.
 */
final class Site {
  static final String BASE = "/dashboard";
  private static final String SIGN_IN = BASE + "/sign-in";

  /** The largest form is one of variables: 512 KiB of them, each byte written as three. */
  private static final long MAX_FORM_BYTES = 2 << 20;

  private final Router router;
  private final OffLoop offLoop;
  private final LocalApi api;
  private final Answering answering;
  private final Doorkeeper doorkeeper;

  Site(Router router, OffLoop offLoop, LocalApi api, Answering answering, Doorkeeper doorkeeper) {
    this.router = router;
    this.offLoop = offLoop;
    this.api = api;
    this.answering = answering;
    this.doorkeeper = doorkeeper;
  }

  /** A page to look at, for everybody who is signed in. */
  void get(String path, Pages.Handler handler) {
    get(path, Pages.Need.ANY, handler);
  }

  void get(String path, Pages.Need need, Pages.Handler handler) {
    look(path).handler(context -> answer(context, (it, token) -> show(it, token, need, handler)));
  }

  /**
   * Something to do.
   *
   * @param again the page that it was asked for on: shown again with the reason where it is refused
   */
  void post(String path, Pages.Need need, Pages.Handler handler, Pages.Handler again) {
    take(path)
        .handler(
            context -> answer(context, (it, token) -> carryOut(it, token, need, handler, again)));
  }

  /** A page for who is not signed in. */
  void openGet(String path, Function<RoutingContext, Reply> handler) {
    look(path)
        .handler(
            context -> answer(context, (it, _) -> framed(it, handler.apply(it), Optional.empty())));
  }

  void openPost(String path, Function<RoutingContext, Reply> handler) {
    take(path)
        .handler(context ->
            answer(
                context,
                (it, _) -> {
                  doorkeeper.requireOurOrigin(it.request());
                  return framed(it, handler.apply(it), Optional.empty());
                }));
  }

  /**
   * An operation of the API as it is, for what is a stream or a file.
   *
   * @param need who may use it
   */
  void operation(String path, String operation, Pages.Need need) {
    router
        .route(BASE + path)
        .handler(context -> {
          context.request().pause();
          offLoop.run(
              context,
              () -> {
                Doorkeeper.Entry entry =
                    doorkeeper.find(context.request()).orElseThrow(Site::signedOut);
                Doorkeeper.require(need, entry.who());
                if (!isLook(context.request())) {
                  doorkeeper.requireOurForm(context.request(), entry);
                }
                return caller(entry.who());
              },
              caller -> {
                caller.of(context);
                context.next();
                context.request().resume();
              });
        });
    api.mount(router, BASE + path, operation);
  }

  /** The last handlers: for what no route has. */
  void finish() {
    get("/*", Site::missing);
    router.route().failureHandler(this::fail);
  }

  private static Reply missing(Visit visit) {
    throw new RequestException(
        ErrorCode.NOT_FOUND, "There is no page at %s.".formatted(visit.context().request().path()));
  }

  private Route look(String path) {
    return router.route(BASE + path).method(HttpMethod.GET).method(HttpMethod.HEAD);
  }

  private Route take(String path) {
    router.post(BASE + path).handler(BodyHandler.create(false).setBodyLimit(MAX_FORM_BYTES));
    return router.post(BASE + path);
  }

  private void answer(
      RoutingContext context,
      BiFunction<RoutingContext, Optional<Doorkeeper.Entry>, Answering.Ready> page) {
    Answering.protect(context.response());
    offLoop.run(
        context,
        () -> page.apply(context, doorkeeper.find(context.request())),
        Answering.Ready::write);
  }

  private Answering.Ready show(
      RoutingContext context,
      Optional<Doorkeeper.Entry> entry,
      Pages.Need need,
      Pages.Handler handler) {
    if (entry.isEmpty()) {
      return () -> Answering.redirect(context.request(), signIn(context.request()));
    }
    Doorkeeper.require(need, entry.get().who());
    Visit visit = visit(context, entry.get(), Form.NONE);
    return framed(context, handler.handle(visit), entry);
  }

  private Answering.Ready carryOut(
      RoutingContext context,
      Optional<Doorkeeper.Entry> found,
      Pages.Need need,
      Pages.Handler handler,
      Pages.Handler again) {
    if (found.isEmpty()) {
      return () -> Answering.redirect(context.request(), SIGN_IN);
    }
    Doorkeeper.Entry entry = found.get();
    doorkeeper.requireOurForm(context.request(), entry);
    Doorkeeper.require(need, entry.who());
    Visit visit = visit(context, entry, new Form(context.request().formAttributes()));
    try {
      return framed(context, handler.handle(visit), found);
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
      return answering.prepare(
          context.request(), shown, page -> frame(context, page, found, Optional.of(why)));
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

  private Caller caller(SignedIn who) {
    return new Caller(who.account(), new Actor.User(who), () -> doorkeeper.lasts(who));
  }

  private Visit visit(RoutingContext context, Doorkeeper.Entry entry, Form form) {
    return new Visit(context, caller(entry.who()), entry.who(), api, form, Optional.empty());
  }

  private Answering.Ready framed(
      RoutingContext context, Reply reply, Optional<Doorkeeper.Entry> entry) {
    return answering.prepare(
        context.request(), reply, page -> frame(context, page, entry, Optional.empty()));
  }

  private Frame frame(
      RoutingContext context,
      Reply.Page page,
      Optional<Doorkeeper.Entry> entry,
      Optional<String> problem) {
    HttpServerRequest request = context.request();
    return new Frame(
        page.title(),
        page.section(),
        entry.map(Doorkeeper.Entry::who),
        entry.map(Doorkeeper.Entry::formToken).orElse(""),
        isLook(request) ? request.uri() : BASE,
        Optional.ofNullable(request.getCookie(Theme.COOKIE))
            .map(it -> Theme.ofWireName(it.getValue()))
            .orElse(Theme.SYSTEM),
        context.queryParam(Notice.PARAMETER).stream()
            .findFirst()
            .flatMap(Notice::ofCode)
            .map(Notice::sentence),
        problem);
  }

  private static boolean isLook(HttpServerRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  private static RequestException signedOut() {
    return new RequestException(ErrorCode.UNAUTHORIZED, "You are signed out; sign in again.");
  }

  private static String signIn(HttpServerRequest request) {
    return request.uri().equals(BASE)
        ? SIGN_IN
        : SIGN_IN + "?next=" + URLEncoder.encode(request.uri(), StandardCharsets.UTF_8);
  }

  private void fail(RoutingContext context) {
    if (context.response().ended() || context.response().closed()) {
      return;
    }
    if (context.response().headWritten()) {
      context.request().connection().close(); // half a page must not look like a whole one
      return;
    }
    RequestException failure = failure(context);
    Answering.protect(context.response());
    offLoop.run(context, () -> refusal(context, failure), Answering.Ready::write);
  }

  private Answering.Ready refusal(RoutingContext context, RequestException failure) {
    Optional<Doorkeeper.Entry> entry = Optional.empty();
    if (failure.code() != ErrorCode.UNAVAILABLE) {
      entry = doorkeeper.find(context.request());
    }
    ErrorPage page = ErrorPage.of(failure);
    return framed(
        context,
        new Reply.Page(
            failure.code().httpStatus(), "error.jte", page.heading(), Section.NONE, page),
        entry);
  }

  private static RequestException failure(RoutingContext context) {
    if (context.statusCode() == 413) {
      return new RequestException(
          ErrorCode.PAYLOAD_TOO_LARGE, "The form is larger than any that is needed.");
    }
    if (context.failure() == null) {
      return new RequestException(ErrorCode.INVALID_REQUEST, "The request is malformed.");
    }
    return ErrorMapper.map(context.failure(), RequestId.of(context));
  }
}
