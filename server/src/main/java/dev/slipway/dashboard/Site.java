package dev.slipway.dashboard;

import dev.slipway.account.Sessions;
import dev.slipway.account.SignedIn;
import dev.slipway.api.ErrorMapper;
import dev.slipway.api.LocalApi;
import dev.slipway.api.OffLoop;
import dev.slipway.api.RequestId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
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
  private final Sessions sessions;
  private final LocalApi api;
  private final Answering answering;
  private final SessionCookie cookie;
  private final SameOrigin sameOrigin;

  Site(
      Router router,
      OffLoop offLoop,
      Sessions sessions,
      LocalApi api,
      Answering answering,
      SessionCookie cookie,
      SameOrigin sameOrigin) {
    this.router = router;
    this.offLoop = offLoop;
    this.sessions = sessions;
    this.api = api;
    this.answering = answering;
    this.cookie = cookie;
    this.sameOrigin = sameOrigin;
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
                  sameOrigin.require(it.request());
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
                Entry entry = enter(context).orElseThrow(Site::signedOut);
                requireNeed(need, entry.who());
                if (!isLook(context.request())) {
                  requireOurs(context, entry);
                }
                return visit(context, entry, Form.NONE).caller();
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

  /** Somebody who is signed in, and with what. */
  private record Entry(Secret token, SignedIn who) {}

  private Optional<Entry> enter(RoutingContext context) {
    return cookie
        .read(context.request())
        .flatMap(token -> sessions.find(token).map(who -> new Entry(token, who)));
  }

  private void answer(
      RoutingContext context, BiFunction<RoutingContext, Optional<Entry>, Answering.Ready> page) {
    Answering.protect(context.response());
    offLoop.run(context, () -> page.apply(context, enter(context)), Answering.Ready::write);
  }

  private Answering.Ready show(
      RoutingContext context, Optional<Entry> entry, Pages.Need need, Pages.Handler handler) {
    if (entry.isEmpty()) {
      return () -> Answering.redirect(context.request(), signIn(context.request()));
    }
    requireNeed(need, entry.get().who());
    Visit visit = visit(context, entry.get(), Form.NONE);
    return framed(context, handler.handle(visit), entry);
  }

  private Answering.Ready carryOut(
      RoutingContext context,
      Optional<Entry> found,
      Pages.Need need,
      Pages.Handler handler,
      Pages.Handler again) {
    if (found.isEmpty()) {
      return () -> Answering.redirect(context.request(), SIGN_IN);
    }
    Entry entry = found.get();
    requireOurs(context, entry);
    requireNeed(need, entry.who());
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

  private void requireOurs(RoutingContext context, Entry entry) {
    sameOrigin.require(context.request());
    String header = context.request().getHeader("X-CSRF-Token");
    String given = header == null ? context.request().getFormAttribute("csrf") : header;
    if (given == null || !Sessions.isCsrf(entry.token(), given)) {
      throw SameOrigin.refusal();
    }
  }

  private static void requireNeed(Pages.Need need, SignedIn who) {
    if (!need.metBy(who.role())) {
      throw new RequestException(
          ErrorCode.FORBIDDEN,
          need == Pages.Need.ADMINISTER
              ? "Only an owner of the account may do this; ask one of them."
              : "You may look at everything and change nothing; ask an owner of the account for another role.");
    }
  }

  private Visit visit(RoutingContext context, Entry entry, Form form) {
    return new Visit(context, entry.who(), sessions, api, form, Optional.empty());
  }

  private Answering.Ready framed(RoutingContext context, Reply reply, Optional<Entry> entry) {
    return answering.prepare(
        context.request(), reply, page -> frame(context, page, entry, Optional.empty()));
  }

  private Frame frame(
      RoutingContext context, Reply.Page page, Optional<Entry> entry, Optional<String> problem) {
    HttpServerRequest request = context.request();
    return new Frame(
        page.title(),
        page.section(),
        entry.map(Entry::who),
        entry.map(it -> Sessions.csrf(it.token())).orElse(""),
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
    Optional<Entry> entry = Optional.empty();
    if (failure.code() != ErrorCode.UNAVAILABLE) {
      entry = enter(context);
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
