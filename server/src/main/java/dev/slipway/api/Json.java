package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/** JSON as the API speaks it: snake case, absent values left out, strict in what it reads. */
final class Json {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** No body of the API needs a tenth of it, and what walks through a body calls itself. */
  private static final int MAX_DEPTH = 64;

  /** How the parser points at a place. */
  private static final Pattern PLACE =
      Pattern.compile("\\[Source: [^;\\]]*; (line: \\d+, column: \\d+)]");

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .build())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.NON_ABSENT))
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          // Numbers are what was sent: a double would round 1.0000000000000000001 to a whole one.
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .addModule(new Jdk8Module())
          .addModule(
              new SimpleModule()
                  .addSerializer(Instant.class, new InstantSerializer())
                  .addDeserializer(Instant.class, new InstantDeserializer()))
          .build();

  /** Reads what {@link #MAPPER} wrote into records that need not name all of it. */
  private static final JsonMapper READER =
      MAPPER.rebuild().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private Json() {}

  static byte[] write(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer cannot be written as JSON", e);
    }
  }

  /**
   * Reads a body.
   *
   * @throws RequestException {@code INVALID_JSON} for what is not well-formed UTF-8 JSON, names a
   *     field twice, or holds a NUL or a lone surrogate
   */
  static JsonNode read(byte[] body) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      JsonNode node = MAPPER.readTree(text);
      if (node.isMissingNode()) {
        throw new RequestException(
            ErrorCode.INVALID_JSON, "The body is empty; it must be a JSON object.");
      }
      requireStorableText(node, "");
      return node;
    } catch (CharacterCodingException e) {
      throw new RequestException(ErrorCode.INVALID_JSON, "The body is not UTF-8 text.");
    } catch (StreamConstraintsException e) {
      throw new RequestException(
          ErrorCode.INVALID_JSON,
          "The body is nested deeper than %d levels, or holds a longer number or name than any is."
              .formatted(MAX_DEPTH));
    } catch (JsonProcessingException e) {
      String where =
          e.getLocation() == null
              ? ""
              : " (line %d, column %d)"
                  .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
      throw new RequestException(
          ErrorCode.INVALID_JSON,
          "The body is not valid JSON: "
              + PLACE.matcher(e.getOriginalMessage()).replaceAll("$1")
              + where);
    }
  }

  /** Whether the store takes the texts in it, as {@link #read} asks. */
  static void requireStorable(JsonNode node) {
    requireStorableText(node, "");
  }

  /** A value as it is read by whoever gets it as JSON. */
  static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** A record of what {@link #write} has written; fields that it does not name are left out. */
  static <T> T as(JsonNode node, Class<T> type) {
    try {
      return READER.treeToValue(node, type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("%s is no %s".formatted(node.getNodeType(), type), e);
    }
  }

  private static void requireStorableText(JsonNode node, String path) {
    if (node.isTextual()) {
      requireStorable(node.textValue(), path.isEmpty() ? "its text" : path);
    } else if (node.isObject()) {
      node.properties()
          .forEach(field -> {
            requireStorable(
                field.getKey(), "the name of a field" + (path.isEmpty() ? "" : " of " + path));
            requireStorableText(
                field.getValue(), path.isEmpty() ? field.getKey() : path + "." + field.getKey());
          });
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        requireStorableText(node.get(i), path.isEmpty() ? "" + i : path + "." + i);
      }
    }
  }

  private static void requireStorable(String text, String place) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (c == 0 || (Character.isSurrogate(c) && !pair)) {
        throw new RequestException(
            ErrorCode.INVALID_JSON,
            "The body holds a NUL or half a character in %s; no text may.".formatted(place));
      }
      if (pair) {
        i++;
      }
    }
  }

  /** ISO 8601 UTC, millisecond precision, {@code Z}. Source: API decisions, "timestamps". */
  private static final class InstantDeserializer extends JsonDeserializer<Instant> {
    @Override
    public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
      return Instant.parse(json.getText());
    }
  }

  private static final class InstantSerializer extends JsonSerializer<Instant> {
    @Override
    public void serialize(Instant value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(TIMESTAMP.format(value));
    }
  }
}
