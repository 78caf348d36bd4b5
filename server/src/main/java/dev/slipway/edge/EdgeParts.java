package dev.slipway.edge;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;

/** What every visit on one event loop uses; {@code client} belongs to that loop. */
record EdgeParts(
    Vertx vertx,
    HttpClient client,
    LiveRoutes routes,
    Waker waker,
    ForwardedHeaders forwarded,
    EdgeOptions options) {}
