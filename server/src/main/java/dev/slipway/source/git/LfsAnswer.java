package dev.slipway.source.git;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a server answers to the question where large files are: the batch API of Git LFS.
 *
 * @param objects by oid
 */
record LfsAnswer(Map<String, Item> objects) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * @param href where it is; empty for none
   * @param header what a request to there must carry
   * @param refusal why there is none
   */
  record Item(Optional<URI> href, Map<String, String> header, Optional<String> refusal) {}

  /** The question. */
  static byte[] question(Collection<LfsPointer> wanted) throws IOException {
    ObjectNode question = JSON.createObjectNode().put("operation", "download");
    question.put("hash_algo", "sha256").putArray("transfers").add("basic");
    var objects = question.putArray("objects");
    wanted.forEach(
        pointer -> objects.addObject().put("oid", pointer.oid()).put("size", pointer.size()));
    return JSON.writeValueAsBytes(question);
  }

  static LfsAnswer parse(byte[] text) throws IOException {
    try {
      Map<String, Item> objects = new HashMap<>();
      for (JsonNode object : JSON.readTree(text).path("objects")) {
        JsonNode download = object.path("actions").path("download");
        Map<String, String> header = new HashMap<>();
        download
            .path("header")
            .properties()
            .forEach(field -> header.put(field.getKey(), field.getValue().asText()));
        Optional<String> refusal =
            Optional.of(object.path("error").path("message").asText()).filter(s -> !s.isBlank());
        objects.put(
            object.path("oid").asText(),
            new Item(address(download.path("href").asText()), header, refusal));
      }
      return new LfsAnswer(objects);
    } catch (JsonProcessingException e) {
      throw new IOException("the answer of its Git LFS is not the JSON that it should be", e);
    }
  }

  private static Optional<URI> address(String href) {
    try {
      URI address = URI.create(href);
      boolean http = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
      return http && address.getHost() != null ? Optional.of(address) : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}
