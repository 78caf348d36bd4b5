package dev.slipway.edge;

import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.core.spi.observability.HttpRequest;
import io.vertx.core.spi.observability.HttpResponse;

/**
 * Makes an {@link Exchange} for each request and tells it of its end. What Vert.x reports to
 * metrics is the one place that every end comes by: HTTP/1.1 and HTTP/2, answers of the edge, of
 * the API and of applications, and what is broken off.
 */
final class ExchangeEvents implements VertxMetricsFactory, VertxMetrics {
  @Override
  public VertxMetrics metrics(VertxOptions options) {
    return this;
  }

  @Override
  public HttpServerMetrics<?, ?, ?> createHttpServerMetrics(
      HttpServerOptions options, SocketAddress address) {
    return new OfServer();
  }

  private static final class OfServer implements HttpServerMetrics<Exchange, Void, Void> {
    @Override
    public Exchange requestBegin(Void connection, HttpRequest request) {
      return new Exchange((HttpServerRequest) request);
    }

    @Override
    public void responseBegin(Exchange exchange, HttpResponse response) {
      exchange.answered();
    }

    @Override
    public void responseEnd(Exchange exchange, HttpResponse response, long bytesWritten) {
      exchange.end();
    }

    @Override
    public void requestReset(Exchange exchange) {
      exchange.abort();
    }
  }
}
