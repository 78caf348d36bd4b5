package dev.slipway.api;

import dev.slipway.coding.Coding;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Something that is the same for everybody until another version of the program runs. It needs no
 * key, and a client that has it already is told so. Read at its first request; thread-safe.
 */
public final class StaticDocument {
  private static final Set<String> METHODS =
      Collections.unmodifiableSet(new LinkedHashSet<>(List.of("GET", "HEAD")));
  private static final int TAG_BYTES = 12;

  private final String path;
  private final String type;
  private final Map<String, String> headers;
  private final Supplier<byte[]> source;
  private Optional<Content> content = Optional.empty();

  /**
   * @param headers of each answer; {@code Cache-Control} is {@code no-cache} where it is not among
   *     them
   * @param source read once
   */
  public StaticDocument(
      String path, String type, Map<String, String> headers, Supplier<byte[]> source) {
    this.path = path;
    this.type = type;
    this.headers = Map.copyOf(headers);
    this.source = source;
  }

  /**
   * @param tag names the content in whichever coding, so it is a weak one
   */
  private record Content(Buffer plain, Buffer gzip, String tag) {}

  public void mount(Router router, OffLoop offLoop) {
    router
        .route(path)
        .handler(context -> {
          if (METHODS.contains(context.request().method().name())) {
            offLoop.run(context, this::content, it -> answer(context, it));
          } else {
            ContractRoutes.refuseMethod(METHODS).handle(context);
          }
        });
  }

  private void answer(RoutingContext context, Content it) {
    HttpServerResponse response = context.response();
    response.putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
    headers.forEach(response::putHeader);
    response.headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    response.putHeader(HttpHeaders.ETAG, it.tag()).putHeader("X-Content-Type-Options", "nosniff");
    if (hasIt(context.request(), it.tag())) {
      response.setStatusCode(304).end();
      return;
    }
    Buffer body = it.plain();
    if (takesGzip(context)) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
      body = it.gzip();
    }
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, type)
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
    if (context.request().method().name().equals("HEAD")) {
      response.end();
    } else {
      response.end(body);
    }
  }

  private static boolean takesGzip(RoutingContext context) {
    return context.parsedHeaders().acceptEncoding().stream()
        .anyMatch(coding -> coding.value().equalsIgnoreCase("gzip") && coding.weight() > 0);
  }

  private static boolean hasIt(HttpServerRequest request, String tag) {
    String known = request.getHeader(HttpHeaders.IF_NONE_MATCH);
    return known != null
        && Arrays.stream(known.split(",", -1))
            .map(String::strip)
            .anyMatch(it -> it.equals("*") || weak(it).equals(tag));
  }

  private static String weak(String tag) {
    return tag.startsWith("W/") ? tag : "W/" + tag;
  }

  private synchronized Content content() {
    if (content.isEmpty()) {
      byte[] bytes = source.get();
      Buffer plain = Buffer.buffer(bytes);
      content = Optional.of(new Content(plain, CodedStream.whole(Coding.GZIP, plain), tag(bytes)));
    }
    return content.get();
  }

  private static String tag(byte[] plain) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(plain);
      return "W/\"%s\"".formatted(HexFormat.of().formatHex(hash, 0, TAG_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
