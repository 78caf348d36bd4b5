package dev.slipway.dashboard;

import dev.slipway.account.Sessions;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** To come in, and to leave. */
final class SignInPages implements Pages {
  private static final String HOME = Site.BASE + "/projects";

  private final Sessions sessions;
  private final Visitors visitors;

  SignInPages(Sessions sessions, Visitors visitors) {
    this.sessions = sessions;
    this.visitors = visitors;
  }

  @Override
  public void mount(Site site) {
    site.openGet("/sign-in", this::form);
    site.openPost("/sign-in", this::signIn);
    site.post("/sign-out", Need.ANY, this::signOut, this::signOut);
    site.post("/theme", Need.ANY, this::choose, this::choose);
  }

  private Reply form(RoutingContext context) {
    return page(200, "", next(context.queryParam("next").stream().findFirst()), Optional.empty());
  }

  private Reply signIn(RoutingContext context) {
    Form form = new Form(context.request().formAttributes());
    String next = next(form.filled("next"));
    try {
      Sessions.Started started =
          sessions.signIn(
              form.text("email"), form.secret("password"), visitors.of(context.request()));
      return new Reply.Entered(started, next);
    } catch (RequestException e) {
      ErrorCode code = e.code();
      return page(
          code.httpStatus(), form.text("email"), next, Optional.of(String.valueOf(e.getMessage())));
    }
  }

  private Reply choose(Visit visit) {
    return new Reply.Looking(
        Theme.ofWireName(visit.form().text("theme")), next(visit.form().filled("next")));
  }

  private Reply signOut(Visit visit) {
    sessions.end(visit.who());
    return new Reply.Left(
        "%s/sign-in?%s=%s".formatted(Site.BASE, Notice.PARAMETER, Notice.SIGNED_OUT.code()));
  }

  private static Reply page(int status, String email, String next, Optional<String> problem) {
    return new Reply.Page(
        status, "sign-in.jte", "Sign in", Section.NONE, new SignInPage(email, next, problem));
  }

  /** Only to a page of ours, whatever the address says. */
  private static String next(Optional<String> asked) {
    return asked
        .filter(it -> it.startsWith(Site.BASE + "/"))
        .filter(it -> it.chars().noneMatch(Character::isISOControl))
        .filter(it -> !it.contains("\\") && !it.contains("/../"))
        .orElse(HOME);
  }
}
