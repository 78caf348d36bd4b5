package dev.slipway.hook;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The JSON of a message, or a part of it; its fields are named by JSON pointers. What is there and
 * is not of the kind that is asked for is as good as absent.
 */
record Payload(JsonNode node) {
  /** No host's message needs a fifth of it, and what reads it calls itself. */
  private static final int MAX_DEPTH = 64;

  /** No host's message of 10 MiB has half of it; a tree of as many is below 50 MiB. */
  private static final long MAX_TOKENS = 500_000;

  private static final String FIELD = "payload=";

  /** What PostgreSQL takes in no text: NUL, and half a character. */
  private static final Pattern UNSTORABLE =
      Pattern.compile(
          "\\x00|[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]");

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxTokenCount(MAX_TOKENS)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * The body of a message.
   *
   * @throws RequestException {@code INVALID_JSON}
   */
  static Payload of(HookRequest request) {
    try {
      JsonNode node = MAPPER.readTree(json(request));
      if (node.isObject()) {
        return new Payload(node);
      }
      throw unreadable("it is no JSON object");
    } catch (CharacterCodingException e) {
      throw unreadable("it is no UTF-8 text");
    } catch (JsonProcessingException e) {
      throw unreadable(
          "it is no JSON, or nested deeper than %d levels, or has more than %d parts"
              .formatted(MAX_DEPTH, MAX_TOKENS));
    }
  }

  private static String json(HookRequest request) throws CharacterCodingException {
    String text =
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(request.body())).toString();
    if (!request.isForm()) {
      return text;
    }
    for (String field : text.split("&", -1)) {
      if (field.startsWith(FIELD)) {
        return decoded(field.substring(FIELD.length()));
      }
    }
    throw unreadable("the form has no field called payload");
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw unreadable("its field payload is not encoded as forms are");
    }
  }

  private static RequestException unreadable(String why) {
    return new RequestException(
        ErrorCode.INVALID_JSON,
        "The message cannot be read: %s. Have the git host send JSON.".formatted(why));
  }

  Optional<String> text(String pointer) {
    return Optional.of(node.at(pointer))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .map(text -> requireStorable(pointer, text));
  }

  /**
   * @throws RequestException {@code INVALID_REQUEST} where it is not there
   */
  String required(String pointer) {
    return text(pointer).orElseThrow(() -> lacks(pointer));
  }

  /**
   * @throws RequestException {@code INVALID_REQUEST} where it is not there
   */
  int requiredNumber(String pointer) {
    JsonNode number = node.at(pointer);
    if (!number.isInt()) {
      throw lacks(pointer);
    }
    return number.intValue();
  }

  boolean isNumber(String pointer, int value) {
    JsonNode number = node.at(pointer);
    return number.isInt() && number.intValue() == value;
  }

  boolean flag(String pointer) {
    return node.at(pointer).asBoolean();
  }

  boolean has(String pointer) {
    return !node.at(pointer).isMissingNode();
  }

  /** The elements of a list. */
  List<Payload> list(String pointer) {
    List<Payload> all = new ArrayList<>();
    node.at(pointer).forEach(it -> all.add(new Payload(it)));
    return all;
  }

  /** A list of texts alone. */
  Optional<List<String>> texts(String pointer) {
    JsonNode list = node.at(pointer);
    if (!list.isArray()) {
      return Optional.empty();
    }
    List<String> all = new ArrayList<>();
    for (JsonNode it : list) {
      if (!it.isTextual()) {
        return Optional.empty();
      }
      all.add(it.textValue());
    }
    return Optional.of(all);
  }

  private static RequestException lacks(String pointer) {
    return new RequestException(
        ErrorCode.INVALID_REQUEST,
        "The message lacks %s, which git hosts send."
            .formatted(pointer.substring(1).replace('/', '.')));
  }

  private static String requireStorable(String pointer, String text) {
    if (UNSTORABLE.matcher(text).find()) {
      throw new RequestException(
          ErrorCode.INVALID_JSON,
          "The message holds a NUL or half a character in %s; no text may."
              .formatted(pointer.substring(1).replace('/', '.')));
    }
    return text;
  }
}
