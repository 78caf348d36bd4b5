package dev.slipway.dashboard;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Puts pages into what stands around each of them. */
final class Framing {
  private final Answering answering;

  Framing(Answering answering) {
    this.answering = answering;
  }

  /** Makes the answer; takes time, so not on an event loop. */
  Answering.Ready prepare(RoutingContext context, Reply reply) {
    return prepare(context, reply, Optional.empty());
  }

  /**
   * @param problem why what was asked for could not be done
   */
  Answering.Ready prepare(RoutingContext context, Reply reply, Optional<String> problem) {
    return answering.prepare(context.request(), reply, page -> frame(context, page, problem));
  }

  private static Frame frame(RoutingContext context, Reply.Page page, Optional<String> problem) {
    HttpServerRequest request = context.request();
    Optional<Doorkeeper.Entry> entry = Admittance.of(context);
    return new Frame(
        page.title(),
        page.section(),
        entry.map(Doorkeeper.Entry::who),
        entry.map(Doorkeeper.Entry::formToken).orElse(""),
        Admittance.isLook(request) ? request.uri() : Site.BASE,
        Optional.ofNullable(request.getCookie(Theme.COOKIE))
            .map(it -> Theme.ofWireName(it.getValue()))
            .orElse(Theme.SYSTEM),
        context.queryParam(Notice.PARAMETER).stream().findFirst().flatMap(Notice::ofCode),
        problem);
  }
}
