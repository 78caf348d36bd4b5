package dev.slipway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  @TempDir private Path folder;

  @Test
  void theEnvironmentGoesBeforeTheFile() throws IOException {
    ServerConfig config =
        load(
            "http: {port: 9000, host: 10.0.0.1}",
            Map.of("SLIPWAY_HTTP_PORT", "9001", "SLIPWAY_ROLES", "[worker]", "HOME", "/root"));

    assertThat(config.http().port()).isEqualTo(9001);
    assertThat(config.http().host()).isEqualTo("10.0.0.1");
    assertThat(config.roles()).isEqualTo(Set.of(Role.WORKER));
  }

  @Test
  void aVariableHoldsAListOfObjectsAsYaml() throws IOException {
    ServerConfig config =
        load("", Map.of("SLIPWAY_REPO_HOSTS", "[{kind: local, url: 'file:///srv/git'}]"));

    assertThat(config.repoHosts())
        .containsExactly(
            RepoHostConfig.of("local", URI.create("file:///srv/git"), Optional.empty(), List.of()));
  }

  @Test
  void variablesAloneSwitchAnOptionalSectionOn() throws IOException {
    ServerConfig config =
        load(
            "",
            Map.of(
                "SLIPWAY_STORE_URL", "jdbc:postgresql://db/slipway",
                "SLIPWAY_STORE_USER", "slipway",
                "SLIPWAY_STORE_PASSWORD", "0123: #x"));

    assertThat(config.store())
        .contains(
            new StoreConfig("jdbc:postgresql://db/slipway", "slipway", new Secret("0123: #x")));
  }

  @Test
  void aVariableChangesOneValueOfATier() throws IOException {
    ServerConfig config = load("", Map.of("SLIPWAY_TIERS_PRO_REQUESTS_PER_MINUTE", "1000"));

    assertThat(config.tiers()).containsEntry("pro", new TierConfig(1000, 100));
  }

  @Test
  void theVariablesOfTheCommandsAreNoKeys() throws IOException {
    ServerConfig config =
        load(
            "",
            Map.of(
                "SLIPWAY_URL", "http://localhost",
                "SLIPWAY_API_KEY", "x",
                "SLIPWAY_JAVA_OPTS", "-Xmx1g"));

    assertThat(config.http()).isEqualTo(HttpConfig.DEFAULTS);
  }

  @Test
  void allProblemsAreShownTogether() {
    assertThat(
            problems(
                """
                htpp: {port: 1}
                http: {prot: 1, port: x}
                build: {timeout: soon}
                """,
                Map.of("SLIPWAY_HTTP_PROT", "1", "SLIPWAY_RELEASES_KEEP", "none")))
        .containsExactlyInAnyOrder(
            "htpp is no known key; did you mean http?",
            "http.prot is no known key; did you mean http.port?",
            "http.port must be a number from 1 to 65535, not \"x\"",
            "build.timeout must be a time above 0 such as 500ms, 30s, 15m, 1h or 7d, not \"soon\"",
            "releases.keep (SLIPWAY_RELEASES_KEEP) must be a number of 1 or more, not \"none\"",
            "SLIPWAY_HTTP_PROT is no known variable; did you mean SLIPWAY_HTTP_PORT?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http: {port: 0}                                    | http.port must be a number from 1
          http: {port: 65536}                                | http.port must be a number from 1
          http: {port: [1]}                                  | http.port must be a number from 1 to 65535, not a list
          http: {port: }                                     | http.port has no value
          http: 8080                                         | http must hold keys and values
          limits: {upload_bytes: 3GiB, unused_uploads_bytes: 2GiB} | limits.unused_uploads_bytes must be limits.upload_bytes or more
          http: {port: 21000}                                | http.port must lie outside runtime.ports
          http: {public_url: "example.org"}                  | http.public_url must be an address
          http: {public_url: "ftp://example.org"}            | http.public_url must be an address
          http: {trusted_proxies: [proxy]}                   | http.trusted_proxies[0] must be an address or a network
          http: {cors_origins: ["https://a.example/path"]}   | http.cors_origins[0] must be an origin
          https: {}                                          | https.port is missing
          https: {port: 8080}                                | https.port must differ from http.port
          apps: {domain: "Apps.Example.org"}                 | apps.domain must be a host name
          apps: {drain: 0s}                                  | apps.drain must be a time above 0
          roles: api                                         | roles must be a list
          roles: []                                          | roles must not be empty
          roles: [api, edges]                                | roles[1] must be one of api, worker, edge, not "edges"
          {roles: [edge], http: {control_port: 8080}}        | http.control_port must differ from the ports of visitors
          {roles: [edge], http: {control_port: 21000}}       | http.control_port must lie outside runtime.ports
          regions: [{name: eu-1, runtime: heroku}]           | regions[0].runtime must be one of process, docker, kubernetes, not "heroku"
          regions: [{name: eu-1}]                            | regions[0].runtime is missing
          regions: []                                        | regions must not be empty
          regions: [eu-1]                                    | regions[0] must hold keys and values
          store: {user: a, password: b}                      | store.url is missing
          store: {url: "mysql://x", user: a, password: b}    | store.url must be jdbc:postgresql://
          bootstrap: {tier: gold}                            | bootstrap.tier must be one of the configured tiers, not "gold"
          bootstrap: {email: admin}                          | bootstrap.email must be an e-mail address
          bootstrap: {password: 12345678}                    | bootstrap.password must be text: put it in quotes
          repo_hosts: [{kind: zip, url: "https://a.example"}] | repo_hosts[0].kind must be a name of a-z, 0-9, - and _ other than zip
          repo_hosts: [{kind: g, url: "ssh://a.example"}]    | repo_hosts[0].url must be an address that begins with
          repo_hosts: [{kind: g, url: "file://srv/git"}]     | repo_hosts[0].url must be an address that begins with
          repo_hosts: [{kind: g, url: "file:///a"}, {kind: g, url: "file:///b"}] | repo_hosts[1].kind stands twice in the list: "g"
          instance_types: [{name: s, memory_mb: 1, cpus: 0}] | instance_types[0].cpus must be a number above 0
          tiers: {gold: {}}                                  | tiers.gold.requests_per_minute is missing
          limits: {json_bytes: 1MB}                          | limits.json_bytes must be a size above 0
          limits: {json_bytes: 999999999TiB}                 | limits.json_bytes must be a size above 0
          webhooks: {allow_private_targets: "on"}            | webhooks.allow_private_targets must be true or false
          databases: {mysql: {url: "jdbc:oracle:x"}}         | databases.mysql.url must be jdbc:mysql://
          runtime: {ports: 9-8}                              | runtime.ports must be a range of ports
          - a                                                | must hold keys and values
          """)
  void aWrongValueIsAProblem(String yaml, String sentence) {
    assertThat(problems(yaml, Map.of())).anyMatch(it -> it.contains(sentence));
  }

  @Test
  void aKeySaidTwiceIsAProblemWithItsPlace() {
    assertThat(problems("http: {port: 1}\nhttp: {port: 2}\n", Map.of()))
        .anySatisfy(it -> assertThat(it).contains("says a key twice at line 2", "'http'"));
  }

  @Test
  void noProblemShowsASecret() {
    String secret = "s3cret-value";
    String yaml =
        """
        bootstrap: {api_key: s3cret-value}
        store: {url: "postgres://s3cret-value@db", user: x, password: [s3cret-value]}
        repo_hosts: [{kind: g, url: "https://x:s3cret-value@a.example"}]
        """;

    assertThat(problems(yaml, Map.of()))
        .contains("bootstrap.api_key must be text of 32 characters or more")
        .noneMatch(it -> it.contains(secret));
    assertThat(problems("store: {password: s3cret-value\n  : ] x", Map.of()))
        .hasSize(1)
        .noneMatch(it -> it.contains(secret));
  }

  @Test
  void aFileThatIsNotThereIsAProblem() {
    Path absent = folder.resolve("absent.yaml");
    ConfigException failure =
        catchThrowableOfType(
            ConfigException.class, () -> ServerConfig.load(Optional.of(absent), Map.of()));

    assertThat(failure).hasMessageContaining("there is no file " + absent);
  }

  private List<String> problems(String yaml, Map<String, String> environment) {
    return catchThrowableOfType(ConfigException.class, () -> load(yaml, environment)).problems();
  }

  private ServerConfig load(String yaml, Map<String, String> environment) throws IOException {
    Path file = Files.writeString(folder.resolve("server.yaml"), yaml);
    return ServerConfig.load(Optional.of(file), environment);
  }
}
