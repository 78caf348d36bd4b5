package dev.slipway.plantstore;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.api.SideApi;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.util.List;
import java.util.Map;

/** The sample API: it takes a plant and answers it; nothing is kept. */
public final class PlantStore {
  private static final List<String> PLANT_FIELDS = List.of("name", "tag");

  private PlantStore() {}

  public static SideApi api() {
    return new SideApi(
        "/sandbox",
        "/openapi/plant-store.yaml",
        PlantStore::error,
        Map.of("createPlant", PlantStore::plant));
  }

  /** A new plant without its number. */
  private static JsonNode plant(JsonNode newPlant) {
    // The contract's int64: a JSON schema knows whole numbers of any size.
    if (!newPlant.get("id").canConvertToLong()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "id: is too large; it must fit into 64 bits");
    }
    ObjectNode plant = JsonNodeFactory.instance.objectNode();
    for (String field : PLANT_FIELDS) {
      if (newPlant.has(field)) {
        plant.set(field, newPlant.get(field));
      }
    }
    return plant;
  }

  private static PlantError error(RequestException failure) {
    return new PlantError(failure.code().httpStatus(), String.valueOf(failure.getMessage()));
  }
}
