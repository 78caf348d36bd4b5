package dev.slipway.edge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.headers.HeadersMultiMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests of which a program behind the edge, or a proxy before it, might see another end
 * than the edge does (RFC 9112, 6 and 7). The library's own decoder takes some of them and guesses.
 */
final class StrictRequestDecoder extends HttpRequestDecoder {
  private static final String NAME = "httpDecoder";

  private HeadLines head = new HeadLines();
  private boolean inBody;
  private @Nullable ChunkLines chunks;

  private StrictRequestDecoder(HttpServerOptions options) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(options.getMaxInitialLineLength())
            .setMaxHeaderSize(options.getMaxHeaderSize())
            .setMaxChunkSize(options.getMaxChunkSize())
            .setInitialBufferSize(options.getDecoderInitialBufferSize())
            .setStrictLineParsing(true));
  }

  /** Takes the place of the library's decoder, before the first byte has come. */
  static void install(Channel channel, HttpServerOptions options) {
    // HTTP/2 has none.
    if (channel.pipeline().get(NAME) != null && !ProtocolChoice.wasMissed(channel)) {
      var _ = channel.pipeline().replace(NAME, NAME, new StrictRequestDecoder(options));
    }
  }

  /** With headers of the kind that the library's server expects. */
  @Override
  protected HttpMessage createMessage(String[] initialLine) {
    return new DefaultHttpRequest(
        HttpVersion.valueOf(initialLine[2]),
        HttpMethod.valueOf(initialLine[0]),
        initialLine[1],
        HeadersMultiMap.httpHeaders());
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    throw new IllegalArgumentException("both Content-Length and Transfer-Encoding");
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> out)
      throws Exception {
    int from = bytes.readerIndex();
    super.decode(context, bytes, out);
    int to = bytes.readerIndex();
    if (!inBody) {
      head.follow(bytes, from, to);
    } else if (chunks != null && !chunks.follow(bytes, from, to)) {
      out.forEach(ReferenceCountUtil::release);
      out.clear();
      var broken = new DefaultLastHttpContent();
      broken.setDecoderResult(failure("a chunk's line is none"));
      out.add(broken);
    }
    out.forEach(this::follow);
  }

  private void follow(Object part) {
    if (part instanceof HttpRequest request) {
      if (head.isBroken() && request.decoderResult().isSuccess()) {
        request.setDecoderResult(failure("a line of the head is none"));
      }
      head = new HeadLines();
      inBody = true;
      chunks = HttpUtil.isTransferEncodingChunked(request) ? new ChunkLines() : null;
    }
    if (part instanceof LastHttpContent) {
      inBody = false;
      chunks = null;
    }
  }

  private static DecoderResult failure(String words) {
    return DecoderResult.failure(new IllegalArgumentException(words));
  }

  /** What the decoder lets through though its end is not sure; to be asked of a complete head. */
  static boolean isDoubtful(HttpRequest request) {
    int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
    if (hosts > 1 || request.method().equals(HttpMethod.CONNECT)) {
      return true;
    }
    List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (codings.isEmpty()) {
      return hosts == 0 && request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    }
    // Any other coding would be passed on as if it had been taken off.
    return codings.size() > 1
        || !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.getFirst())
        || !request.protocolVersion().equals(HttpVersion.HTTP_1_1);
  }
}
