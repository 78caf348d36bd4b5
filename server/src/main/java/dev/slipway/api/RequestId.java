package dev.slipway.api;

import io.vertx.ext.web.RoutingContext;
import java.util.UUID;
import java.util.regex.Pattern;

/** {@code X-Request-Id}: the client's own where it is a sane token, else a new one. */
public final class RequestId {
  private static final String HEADER = "X-Request-Id";
  private static final String KEY = "request-id";
  private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

  private RequestId() {}

  /** The first handler of a router. */
  public static void assign(RoutingContext context) {
    String given = context.request().getHeader(HEADER);
    String id =
        given != null && SANE.matcher(given).matches() ? given : UUID.randomUUID().toString();
    context.put(KEY, id);
    context.response().putHeader(HEADER, id);
    context.next();
  }

  public static String of(RoutingContext context) {
    return context.get(KEY, "unknown");
  }
}
