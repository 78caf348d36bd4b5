package dev.slipway.dbproject;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;

/** A database elsewhere as bytes, to be sealed. */
final class LinkText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private LinkText() {}

  static byte[] write(DatabaseLink link) {
    DatabasePlace place = link.place();
    try {
      return JSON.writeValueAsBytes(
          Map.of(
              "type", place.type().name(),
              "host", place.host(),
              "port", place.port(),
              "name", place.name(),
              "parameters", place.parameters(),
              "user", link.login().user(),
              "password", link.login().password().reveal()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the link of a database cannot be written as JSON", e);
    }
  }

  static DatabaseLink read(byte[] bytes) {
    try {
      var tree = JSON.readTree(bytes);
      Map<String, String> parameters =
          JSON.convertValue(tree.required("parameters"), new TypeReference<>() {});
      return new DatabaseLink(
          new DatabasePlace(
              DatabaseType.valueOf(tree.required("type").textValue()),
              tree.required("host").textValue(),
              tree.required("port").intValue(),
              tree.required("name").textValue(),
              Objects.requireNonNull(parameters)),
          new DatabaseLogin(
              tree.required("user").textValue(),
              new Secret(tree.required("password").textValue())));
    } catch (IOException e) {
      throw new IllegalStateException("the stored link of a database is damaged"); // holds secrets
    }
  }
}
