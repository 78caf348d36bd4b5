package dev.slipway.dashboard;

import dev.slipway.account.Sessions;
import dev.slipway.edge.ClientAddress;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;

/**
 * Who asks to be signed in.
 *
 * @param clients whose requests they are
 * @param cookie what their browsers bring
 */
record Visitors(ClientAddress clients, SessionCookie cookie) {
  Sessions.Visitor of(HttpServerRequest request) {
    return new Sessions.Visitor(
        clients.of(request),
        Objects.requireNonNullElse(request.getHeader("User-Agent"), ""),
        cookie.read(request),
        cookie.readBrowser(request));
  }
}
