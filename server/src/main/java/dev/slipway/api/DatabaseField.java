package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseAddress;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseProvider;
import dev.slipway.database.DatabaseType;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.dbproject.DatabaseWish;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The field {@code database} of a request, and addresses of databases as people write them. */
final class DatabaseField {
  private static final String FIELD = "database";
  private static final List<String> OF_CONNECT = List.of("url", "service_key");
  private static final List<String> OF_CREATE = List.of("import_from", "import_key");

  private final Map<DatabaseType, DatabaseProvider> providers;

  DatabaseField(Map<DatabaseType, DatabaseProvider> providers) {
    this.providers = Map.copyOf(providers);
  }

  /** What the contract cannot say; the field may break its schema. */
  void check(Call call, Faults faults) {
    JsonNode database = field(call);
    String action = database.path("action").asText();
    List<String> foreign =
        switch (action) {
          case "create" -> OF_CONNECT;
          case "connect" -> OF_CREATE;
          default -> List.of();
        };
    foreign.stream()
        .filter(database::has)
        .forEach(field -> faults.add(place(field), "is not taken where action is " + action));
    if (action.equals("connect")) {
      address(database, "url", faults)
          .filter(it -> it.password().isPresent())
          .ifPresent(
              _ -> faults.add(place("url"), "must hold no password; give it as service_key alone"));
    }
    if (action.equals("create")) {
      checkImport(database, faults);
    }
  }

  private void checkImport(JsonNode database, Faults faults) {
    if (!database.has("import_from")) {
      if (database.has("import_key")) {
        faults.add(place("import_key"), "is not taken without import_from");
      }
      return;
    }
    address(database, "import_from", faults)
        .ifPresent(from -> {
          if (from.password().isPresent() && database.has("import_key")) {
            faults.add(place("import_key"), "is not taken where import_from has a password");
          }
          if (from.password().isEmpty() && !database.has("import_key")) {
            faults.add(place("import_key"), "is required where import_from has no password");
          }
        });
  }

  /** The database that is asked for, of a request without faults. */
  Optional<DatabaseWish> of(Call call) {
    return type(field(call)).map(type -> wish(field(call), type));
  }

  /**
   * Asks whether it can be had: names are resolved for that, and a server may have to be started.
   * What speaks against it is told by {@link #requirePossible}, once for each idempotency key.
   */
  void ask(Call call, DatabaseService databases) {
    try {
      of(call).ifPresent(databases::requirePossible);
    } catch (RequestException e) {
      call.learn(RequestException.class, e);
    }
  }

  /**
   * @throws RequestException that was found by {@link #ask}
   */
  static void requirePossible(Call call) {
    Optional<RequestException> refused = call.learned(RequestException.class);
    if (refused.isPresent()) {
      throw refused.get();
    }
  }

  /** How to log in, for its owner to read. */
  ConnectionView shown(DatabaseLink link) {
    DatabasePlace place = link.place();
    DatabaseProvider provider = provider(place.type());
    return new ConnectionView(
        Objects.requireNonNull(provider.variables(link).values().get("DATABASE_URL")),
        place.host(),
        place.port(),
        link.login().user(),
        link.login().password().reveal(),
        place.name());
  }

  private DatabaseWish wish(JsonNode database, DatabaseType type) {
    if (database.path("action").asText().equals("connect")) {
      return new DatabaseWish.Connect(link(database, type, "url", "service_key"));
    }
    return new DatabaseWish.Create(
        type,
        database.has("import_from")
            ? Optional.of(link(database, type, "import_from", "import_key"))
            : Optional.empty());
  }

  private DatabaseLink link(JsonNode database, DatabaseType type, String url, String key) {
    DatabaseAddress address = provider(type).parse(database.path(url).asText());
    Secret password = address.password().orElseGet(() -> new Secret(database.path(key).asText()));
    return new DatabaseLink(address.place(), new DatabaseLogin(address.user(), password));
  }

  /** The address that stands there; empty, with a fault, where it is none. */
  private Optional<DatabaseAddress> address(JsonNode database, String field, Faults faults) {
    Optional<DatabaseType> type = type(database);
    if (type.isEmpty() || !database.path(field).isTextual()) {
      return Optional.empty(); // which the contract refuses
    }
    try {
      return Optional.of(provider(type.get()).parse(database.path(field).textValue()));
    } catch (IllegalArgumentException e) {
      faults.add(place(field), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private DatabaseProvider provider(DatabaseType type) {
    return Objects.requireNonNull(providers.get(type));
  }

  private static Optional<DatabaseType> type(JsonNode database) {
    return DatabaseType.ofWireName(database.path("type").asText());
  }

  private static JsonNode field(Call call) {
    return call.body().orElseThrow().path(FIELD);
  }

  private static String place(String field) {
    return FIELD + "." + field;
  }
}
