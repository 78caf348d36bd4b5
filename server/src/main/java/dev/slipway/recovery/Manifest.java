package dev.slipway.recovery;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.slipway.db.StoreDump;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What an archive says of itself, before all else.
 *
 * @param format of the archive
 * @param schema of the store's rows
 * @param createdAt ISO 8601
 * @param tables in the order in which they can be filled
 * @param sequences how far each has come
 * @param keys whether the master key is inside
 * @param keyDigest SHA-256 of the master key's file, hexadecimal: tells the right one
 * @param backups the backups of databases that are inside
 */
record Manifest(
    int format,
    int schema,
    String createdAt,
    List<StoreDump.Table> tables,
    Map<String, Long> sequences,
    boolean keys,
    String keyDigest,
    List<String> backups) {
  static final int FORMAT = 1;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  Manifest {
    createdAt = Instant.parse(createdAt).toString(); // it is shown
    tables = List.copyOf(tables);
    sequences = Map.copyOf(sequences);
    backups = List.copyOf(backups);
  }

  byte[] write() {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a manifest cannot be written as JSON", e);
    }
  }

  /**
   * @throws IllegalStateException with a sentence for the operator
   */
  static Manifest read(byte[] json) {
    try {
      JsonNode tree = JSON.readTree(new String(json, StandardCharsets.UTF_8));
      int format = tree.path("format").asInt();
      if (format != FORMAT) {
        throw new IllegalStateException(
            "the archive has format %d, and this version of Slipway reads %d alone"
                .formatted(format, FORMAT));
      }
      return JSON.treeToValue(tree, Manifest.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the archive's manifest is damaged", e);
    }
  }
}
