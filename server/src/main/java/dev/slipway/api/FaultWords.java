package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts what the schema validator found into words for the client. */
final class FaultWords {
  /** What is missing comes first, as the last of very many are not told. */
  static final Comparator<Error> IN_ORDER =
      Comparator.comparing(error -> !"required".equals(error.getKeyword()));

  private final JsonNode contract;

  /**
   * @param contract the whole document, which the errors' schema locations point into
   */
  FaultWords(JsonNode contract) {
    this.contract = contract;
  }

  /**
   * @param root where the value stands that was validated; empty for a body
   */
  void tell(Error error, String root, Faults faults) {
    String place = place(root, error);
    String property = error.getProperty();
    switch (String.valueOf(error.getKeyword())) {
      case "additionalProperties" ->
          faults.addUnknown(join(place, String.valueOf(property)), property, known(error));
      case "required" -> faults.add(join(place, String.valueOf(property)), "is required");
      case "pattern" -> faults.add(place, schema(error).path("x-fault").asText(error.getMessage()));
      default -> faults.add(place, error.getMessage());
    }
  }

  private List<String> known(Error error) {
    List<String> names = new ArrayList<>();
    schema(error).path("properties").fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** The schema whose keyword was broken. */
  private JsonNode schema(Error error) {
    String keyword = error.getSchemaLocation().getFragment().toString();
    return contract.at(keyword.substring(0, Math.max(0, keyword.lastIndexOf('/'))));
  }

  private static String place(String root, Error error) {
    String path = error.getInstanceLocation().toString().replaceFirst("^/", "").replace('/', '.');
    return join(root, path.replace("~1", "/").replace("~0", "~"));
  }

  private static String join(String place, String name) {
    return place.isEmpty() || name.isEmpty() ? place + name : place + "." + name;
  }
}
