package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import java.util.regex.Pattern;

/** What was filled in for a new project, as the operation {@code createMigration} takes it. */
record MigrationForm(Form form) {
  private static final String[] BUILD = {
    "framework",
    "root_directory",
    "install_command",
    "build_command",
    "start_command",
    "output_directory",
    "health_check_path"
  };
  private static final String[] PROJECT = {"project_name", "region", "instance_type", "domain"};
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");

  /** What decides how it would be built. */
  ObjectNode dryRun() {
    ObjectNode body = form.json(BUILD);
    SourceFields.of(form).addTo(body);
    ObjectNode variables = body.putObject("env_vars");
    VariableFields.of(form).values().forEach(variables::put);
    return body;
  }

  /** All of it. */
  ObjectNode migration() {
    ObjectNode body = dryRun();
    body.setAll(form.json(PROJECT));
    form.filled("instances").ifPresent(it -> body.put("instances", number(it)));
    database(body);
    return body;
  }

  private void database(ObjectNode body) {
    String wish = form.text("database_action");
    switch (wish) {
      case "", "none" -> {}
      case "create" -> body.set("database", database("create", wish));
      case "connect" ->
          body.set(
              "database",
              with(database("connect", wish), "url", "database_url", "service_key", "service_key"));
      case "import" ->
          body.set(
              "database",
              with(
                  database("create", wish),
                  "import_from",
                  "import_from",
                  "import_key",
                  "import_key"));
      default ->
          throw new RequestException(
              ErrorCode.INVALID_REQUEST, "Choose what database the project gets, or none.");
    }
  }

  /** Each way to get a database has a field of its own for the type. */
  private ObjectNode database(String action, String wish) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("action", action)
        .put("type", form.text("database_type_" + wish));
  }

  private ObjectNode with(
      ObjectNode database,
      String address,
      String addressField,
      String password,
      String passwordField) {
    form.filled(addressField).ifPresent(it -> database.put(address, it));
    String secret = form.secret(passwordField).reveal();
    if (!secret.isEmpty()) {
      database.put(password, secret);
    }
    return database;
  }

  private static int number(String text) {
    if (!NUMBER.matcher(text).matches()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "Instances: %s is not a whole number.".formatted(text));
    }
    return Integer.parseInt(text);
  }
}
