package dev.slipway.edge;

import dev.slipway.site.Sites;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;

/** What every visit on one event loop uses; {@code client} belongs to that loop. */
record EdgeParts(
    Vertx vertx,
    HttpClient client,
    LiveRoutes routes,
    Ejections ejections,
    Waker waker,
    Sites sites,
    ForwardedHeaders forwarded,
    EdgeOptions options) {}
