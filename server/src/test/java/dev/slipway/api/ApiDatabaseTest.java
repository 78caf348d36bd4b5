package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.DatabaseId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases as clients ask for them: what is refused, in which words, and who sees what. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiDatabaseTest {
  private static final String CREATE = "{\"type\": \"postgres\", \"action\": \"create\"}";
  private final ApiPlace api = new ApiPlace();

  @AfterAll
  void close() {
    api.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                       | database.type: is required
          {"type": "postgres"}                     | database.action: is required
          {"type": "oracle", "action": "create"}   | database.type: does not have a value in the enumeration
          {"type": "mysql", "action": "create"}    | database.type: No server makes databases of the type mysql: connect one, or have the operator set databases.mysql.
          {"type": "postgres", "action": "make"}   | database.action: does not have a value in the enumeration
          {"type": "postgres", "action": "create", "name": "x"}                       | database.name: is not known
          {"type": "postgres", "action": "create", "url": "postgres://a@b/c"}         | database.url: is not taken where action is create
          {"type": "postgres", "action": "create", "service_key": "x"}                | database.service_key: is not taken where action is create
          {"type": "postgres", "action": "create", "import_key": "x"}                 | database.import_key: is not taken without import_from
          {"type": "postgres", "action": "create", "import_from": "postgres://a@b/c"} | database.import_key: is required where import_from has no password
          {"type": "postgres", "action": "create", "import_from": "postgres://a:x@b/c", "import_key": "x"} | database.import_key: is not taken where import_from has a password
          {"type": "postgres", "action": "create", "import_from": "shop", "import_key": "x"} | database.import_from: is not of the form postgres://user@host[:port]/name
          {"type": "postgres", "action": "connect"}                                   | database.url: is required
          {"type": "postgres", "action": "connect", "url": "postgres://a@b/c"}        | database.service_key: is required
          {"type": "postgres", "action": "connect", "url": "mysql://a@b/c", "service_key": "x"} | database.url: is not of the form postgres://user@host[:port]/name
          {"type": "mysql", "action": "connect", "url": "postgres://a@b/c", "service_key": "x"} | database.url: is not of the form mysql://user@host[:port]/name
          {"type": "mysql", "action": "connect", "url": "mysql://a@b/c?allowLocalInfile=true", "service_key": "x"} | other parameters are not possible
          {"type": "mysql", "action": "connect", "url": "mysql://a:x@b/c", "service_key": "x"} | database.url: must hold no password; give it as service_key alone
          {"type": "postgres", "action": "connect", "url": "postgres://a:x@b/c", "service_key": "x"} | database.url: must hold no password; give it as service_key alone
          {"type": "postgres", "action": "connect", "url": "postgres://a@b/c?options=-crole", "service_key": "x"} | database.url: has a parameter that is not allowed
          {"type": "postgres", "action": "connect", "url": "postgres://a@b/c", "service_key": "x", "import_from": "postgres://a@b/c"} | database.import_from: is not taken where action is connect
          """)
  void aDatabaseThatCannotBeAskedForIsRefusedInASentence(String database, String sentence) {
    ApiPlace.Reply refused = migrate("refused", database);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_request");
    assertThat(refused.message()).contains(sentence);
    assertThat(api.get("/v1/projects?limit=100").body()).doesNotContain("refused");
  }

  @Test
  void allFaultsOfADatabaseAreToldAtOnceAndNoPasswordIsQuoted() {
    ApiPlace.Reply refused =
        migrate(
            "many-faults",
            """
            {"type": "postgres", "action": "connect", "url": "postgres://a:hush-4711@b/c", "size": 5,
             "import_from": "postgres://a:hush-4712@b/c"}
            """);

    assertThat(refused.message())
        .contains(
            "database.service_key: is required",
            "database.url: must hold no password",
            "database.size: is not known",
            "database.import_from: is not taken")
        .doesNotContain("hush-4711", "hush-4712");
  }

  @Test
  void aMigrationAndItsProjectNameTheirDatabase() {
    JsonNode read = read(migrate("with-rows", CREATE));
    assertThat(read.at("/database/type").asText()).isEqualTo("postgres");
    String id = read.at("/database/project_id").asText();
    assertThat(id).startsWith("dbp_");
    String project = read.get("project_id").asText();
    assertThat(api.get("/v1/projects/" + project).data().at("/database/project_id").asText())
        .isEqualTo(id);

    JsonNode database = api.get("/v1/databases/" + id).data();
    assertThat(database.get("origin").asText()).isEqualTo("created");
    assertThat(database.get("projects")).hasSize(1);
    assertThat(database.at("/projects/0").asText()).isEqualTo(project);
    assertThat(database.has("connection")).isFalse();
    assertThat(api.get("/v1/databases").body()).contains(id);
  }

  @Test
  void theKeyOfAConnectedDatabaseIsInNoAnswerUntilItsOwnerAsksForIt() {
    ApiPlace.Reply created =
        migrate(
            "connected",
            """
            {"type": "postgres", "action": "connect", "url": "postgres://ada@db.example.org/shop",
             "service_key": "key-of-ada"}
            """);
    String migration = "/v1/migrations/" + created.data().get("id").asText();
    String database = "/v1/databases/" + databaseOf(created);
    for (String uri : new String[] {migration, migration + "/logs", database, "/v1/databases"}) {
      assertThat(api.get(uri).body()).as(uri).doesNotContain("key-of-ada");
    }
    api.plane.main.jobs.runDue();
    JsonNode revealed = api.get(database + "?reveal=true").data().get("connection");
    assertThat(revealed.get("password").asText()).isEqualTo("key-of-ada");
    assertThat(revealed.get("host").asText()).isEqualTo("db.example.org");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?reveal=true", "/backups"})
  void anotherAccountSeesNothingOfIt(String rest) {
    String id = databaseOf(migrate("mine-alone-" + rest.length(), CREATE));
    String stranger = api.addKey(api.plane.addAccount());

    assertThat(api.getAs(stranger, "/v1/databases/" + id + rest).status()).isEqualTo(403);
    assertThat(api.getAs(stranger, "/v1/databases").data()).isEmpty();
  }

  @Test
  void aProjectIsGivenAnotherDatabaseOrNone() {
    JsonNode migration = read(migrate("first-user", CREATE));
    String project = "/v1/projects/" + migration.get("project_id").asText();
    String other = databaseOf(migrate("second-user", CREATE));

    JsonNode changed =
        api.call("PATCH", project, "{\"database_id\": \"%s\"}".formatted(other)).data();
    assertThat(changed.at("/database/project_id").asText()).isEqualTo(other);
    assertThat(api.get("/v1/databases/" + other).data().get("projects")).hasSize(2);
    assertThat(api.call("PATCH", project, "{\"database_id\": null}").data().has("database"))
        .isFalse();

    ApiPlace.Reply unknown =
        api.call("PATCH", project, "{\"database_id\": \"%s\"}".formatted(DatabaseId.next()));
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.code()).isEqualTo("not_found");
  }

  private String databaseOf(ApiPlace.Reply created) {
    return read(created).at("/database/project_id").asText();
  }

  private JsonNode read(ApiPlace.Reply created) {
    return api.get("/v1/migrations/" + created.data().get("id").asText()).data();
  }

  private ApiPlace.Reply migrate(String project, String database) {
    return api.post(
        "/v1/migrations",
        "{\"source\": \"github\", \"repo\": \"acme/shop\", \"project_name\": \"%s\", \"database\": %s}"
            .formatted(project, database));
  }
}
