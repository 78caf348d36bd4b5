package dev.slipway.plantstore;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.api.SideApi;
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
        Map.of("createPlant", new SideApi.Operation(PlantStore::faults, PlantStore::plant)));
  }

  /** The contract's int64: a schema knows whole numbers of any size. */
  private static Map<String, String> faults(JsonNode newPlant) {
    JsonNode id = newPlant.path("id");
    return id.isNumber() && !id.canConvertToLong()
        ? Map.of("id", "is too large; it must fit into 64 bits")
        : Map.of();
  }

  /** A new plant without its number. */
  private static JsonNode plant(JsonNode newPlant) {
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
