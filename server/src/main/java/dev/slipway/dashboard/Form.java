package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.core.Secret;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;

/** The fields of a form as they were sent; empty where none was. */
public record Form(MultiMap fields) {
  static final Form NONE = new Form(MultiMap.caseInsensitiveMultiMap());

  /** A field's text without the blanks around it; empty where it is not there. */
  public String text(String name) {
    String value = fields.get(name);
    return value == null ? "" : value.strip();
  }

  /** What was filled in. */
  public Optional<String> filled(String name) {
    return Optional.of(text(name)).filter(it -> !it.isEmpty());
  }

  /** All values of a field, as they are. */
  public List<String> all(String name) {
    return fields.getAll(name);
  }

  /** A field of several lines as it was written: browsers end each with two characters. */
  static String lines(String sent) {
    return sent.replace("\r\n", "\n").replace('\r', '\n');
  }

  /** As it is: blanks may belong to it. */
  Secret secret(String name) {
    String value = fields.get(name);
    return new Secret(value == null ? "" : value);
  }

  public boolean checked(String name) {
    return fields.contains(name);
  }

  /** The body of an operation with those of the fields that were filled in, as text. */
  ObjectNode json(String... names) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (String name : names) {
      filled(name).ifPresent(value -> json.put(name, value));
    }
    return json;
  }
}
