package dev.slipway.api;

import com.networknt.schema.Error;
import dev.slipway.core.Nearest;
import java.util.Collection;

/** Says what is wrong with a request, where, and what was probably meant. */
final class Faults {
  private Faults() {}

  /**
   * @param fields the known fields of the value as a whole
   */
  static String sentence(Error error, Collection<String> fields) {
    String path = error.getInstanceLocation().toString().replaceFirst("^/", "").replace('/', '.');
    if ("additionalProperties".equals(error.getKeyword()) && error.getProperty() != null) {
      String name = path.isEmpty() ? error.getProperty() : path + "." + error.getProperty();
      return unknown(name, fields);
    }
    return (path.isEmpty() ? "" : path + ": ") + error.getMessage();
  }

  /** Names an unknown field or parameter, and the known one that is spelled most alike. */
  static String unknown(String name, Collection<String> known) {
    return Nearest.to(name, known)
        .map(near -> "%s: is not known; did you mean %s?".formatted(name, near))
        .orElseGet(() ->
            known.isEmpty()
                ? "%s: is not known; none is taken here".formatted(name)
                : "%s: is not known; known are %s".formatted(name, String.join(", ", known)));
  }
}
