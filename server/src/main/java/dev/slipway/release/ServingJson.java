package dev.slipway.release;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.slipway.core.Serving;

/** How a release answers requests, as its row has it: {@code {"kind": "site", …}}. */
public final class ServingJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().registerModule(new Jdk8Module()).addMixIn(Serving.class, Kinds.class);

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Serving.Program.class, name = "program"),
    @JsonSubTypes.Type(value = Serving.Site.class, name = "site")
  })
  private interface Kinds {}

  private ServingJson() {}

  static String write(Serving serving) {
    try {
      return JSON.writerFor(Serving.class).writeValueAsString(serving);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("how a release is served cannot be written as JSON", e);
    }
  }

  /** As {@link #write} wrote it. */
  public static Serving read(String json) {
    try {
      return JSON.readValue(json, Serving.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("how a release is served cannot be read: " + json, e);
    }
  }
}
