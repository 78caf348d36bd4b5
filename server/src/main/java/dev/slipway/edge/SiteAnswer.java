package dev.slipway.edge;

import dev.slipway.coding.Coding;
import dev.slipway.release.ReleaseFiles.Content;
import dev.slipway.release.ReleaseFiles.Stored;
import dev.slipway.site.ContentTypes;
import dev.slipway.site.FileNames;
import dev.slipway.site.Sites;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers one request with a file: whole, in part, compressed as the client takes it, or with the
 * word that the client has it. All on the event loop of the request; small files come from memory,
 * the kernel sends the others.
 */
final class SiteAnswer {
  private static final Logger log = LoggerFactory.getLogger(SiteAnswer.class);
  private static final String FOR_EVER = "public, max-age=31536000, immutable";
  private static final String ASK_AGAIN = "public, max-age=0, must-revalidate";
  private static final int TAG_DIGITS = 32;

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final boolean preview;
  private final Sites sites;

  /**
   * @param sites where small files are in memory
   * @param preview of which search engines are told to keep nothing
   */
  SiteAnswer(Sites sites, HttpServerRequest request, boolean preview) {
    this.sites = sites;
    this.request = request;
    this.response = request.response();
    this.preview = preview;
    markPreview();
  }

  private void markPreview() {
    if (preview) {
      response.putHeader(Forwarding.ROBOTS, Forwarding.NO_INDEX);
    }
  }

  /** With a file that was asked for, as far as the client does not have it. */
  void found(Content file) {
    Optional<String> range =
        Optional.ofNullable(request.getHeader("Range"))
            .filter(_ -> request.method().equals(HttpMethod.GET));
    // Parts are always those of the file as it is: what it was compressed to may change.
    Optional<Coding> coding = range.isPresent() ? Optional.empty() : coding(file);
    String tag = tag(file, coding);
    describe(file, coding);
    response
        .putHeader(HttpHeaders.ETAG, tag)
        .putHeader(HttpHeaders.ACCEPT_RANGES, "bytes")
        .putHeader(
            HttpHeaders.CACHE_CONTROL, FileNames.isImmutable(file.path()) ? FOR_EVER : ASK_AGAIN);
    if (!EntityTags.isWanted(request, tag)) {
      empty(HttpResponseStatus.PRECONDITION_FAILED);
    } else if (EntityTags.isKnown(request, tag)) {
      empty(HttpResponseStatus.NOT_MODIFIED);
    } else {
      Stored stored = stored(file, coding);
      range
          .filter(_ -> EntityTags.isContinued(request, tag))
          .flatMap(header -> ByteRange.of(header, stored.bytes()))
          .ifPresentOrElse(part -> send(stored, part), () -> send(stored));
    }
  }

  /** With the site's own page for what there is not. */
  void notFound(Content page) {
    Optional<Coding> coding = coding(page);
    describe(page, coding);
    response
        .setStatusCode(HttpResponseStatus.NOT_FOUND.code())
        .putHeader(HttpHeaders.CACHE_CONTROL, ASK_AGAIN);
    send(stored(page, coding));
  }

  /** It is found under another path of the site. */
  void elsewhere(String place) {
    response.putHeader(HttpHeaders.LOCATION, place).putHeader(HttpHeaders.CACHE_CONTROL, ASK_AGAIN);
    empty(HttpResponseStatus.PERMANENT_REDIRECT);
  }

  void empty(HttpResponseStatus status) {
    response.setStatusCode(status.code());
    boolean bodyless =
        status.equals(HttpResponseStatus.NOT_MODIFIED)
            || status.equals(HttpResponseStatus.NO_CONTENT);
    if (!bodyless) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, "0");
    }
    Leftover leftover = Leftover.of(request);
    leftover.announce();
    response.end().onComplete(_ -> leftover.discard());
  }

  /** The smallest of those that the client likes best. */
  private Optional<Coding> coding(Content file) {
    if (file.coded().isEmpty()) {
      return Optional.empty();
    }
    List<Coding> offered =
        file.coded().entrySet().stream()
            .sorted(Comparator.comparingLong(entry -> entry.getValue().bytes()))
            .map(Map.Entry::getKey)
            .toList();
    return Coding.accepted(request.headers().getAll(HttpHeaders.ACCEPT_ENCODING), offered);
  }

  private static Stored stored(Content file, Optional<Coding> coding) {
    return coding.map(it -> file.coded().get(it)).orElse(file.plain());
  }

  /** Names the bytes that are sent: each coding has a tag of its own. */
  private static String tag(Content file, Optional<Coding> coding) {
    String suffix = coding.map(it -> "-" + it.wireName()).orElse("");
    return "\"" + file.hash().substring(0, TAG_DIGITS) + suffix + "\"";
  }

  private void describe(Content file, Optional<Coding> coding) {
    response.putHeader(HttpHeaders.CONTENT_TYPE, ContentTypes.of(file.path()));
    if (!file.coded().isEmpty()) {
      response.putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    }
    coding.ifPresent(it -> response.putHeader(HttpHeaders.CONTENT_ENCODING, it.wireName()));
  }

  private void send(Stored file, ByteRange part) {
    if (part.length() == 0) {
      response.headers().remove(HttpHeaders.CACHE_CONTROL).remove(HttpHeaders.CONTENT_TYPE);
      response.putHeader(HttpHeaders.CONTENT_RANGE, "bytes */" + file.bytes());
      empty(HttpResponseStatus.REQUESTED_RANGE_NOT_SATISFIABLE);
      return;
    }
    response
        .setStatusCode(HttpResponseStatus.PARTIAL_CONTENT.code())
        .putHeader(HttpHeaders.CONTENT_RANGE, part.of(file.bytes()));
    send(file, part.from(), part.length());
  }

  private void send(Stored file) {
    send(file, 0, file.bytes());
  }

  private void send(Stored file, long from, long length) {
    Leftover leftover = Leftover.of(request);
    leftover.announce();
    response.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(length));
    if (length == 0 || request.method().equals(HttpMethod.HEAD)) {
      response.end().onComplete(_ -> leftover.discard());
      return;
    }
    FileChannel open;
    try {
      Optional<ByteBuffer> small = sites.small(file);
      if (small.isPresent()) {
        ByteBuffer part = small.get().slice((int) from, (int) length);
        response
            .end(BufferInternal.buffer(Unpooled.wrappedBuffer(part)))
            .onComplete(_ -> leftover.discard());
        return;
      }
      open = FileChannel.open(file.path(), StandardOpenOption.READ);
    } catch (IOException e) {
      log.error("a file of a release cannot be read", e);
      response.headers().clear();
      markPreview();
      Pages.NO_FILES.answer(request);
      return;
    }
    // From here on the release may be deleted: an open file stays.
    Future<Void> sent =
        request.version() == HttpVersion.HTTP_2
            ? response.sendFile(file.path().toString(), from, length) // no open ones by HTTP/2
            : response.sendFile(open, from, length);
    sent.onComplete(
        _ -> {
          close(open);
          leftover.discard();
        },
        _ -> {
          close(open);
          Exchange.of(request).abort(); // HTTP/1.1 reports no end of a file that was broken off.
          Channels.closeHard(request);
        });
  }

  private static void close(FileChannel file) {
    try {
      file.close();
    } catch (IOException e) {
      log.error("a file of a release cannot be closed", e);
    }
  }
}
