package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Schema;
import dev.slipway.account.AccountStore;
import dev.slipway.account.Accounts;
import dev.slipway.account.Callers;
import dev.slipway.build.DryRun;
import dev.slipway.config.InstanceTypeConfig;
import dev.slipway.config.TierConfig;
import dev.slipway.core.AccountId;
import dev.slipway.core.ApiKeyId;
import dev.slipway.database.DatabaseProvider;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.postgres.ApplicationsCluster;
import dev.slipway.database.postgres.PostgresProvider;
import dev.slipway.deployment.Plane;
import dev.slipway.framework.Frameworks;
import dev.slipway.metric.Exposition;
import dev.slipway.metric.ProjectMetrics;
import dev.slipway.metric.TrafficMeters;
import dev.slipway.metric.TrafficStore;
import dev.slipway.metric.UseStore;
import dev.slipway.migration.DryRuns;
import dev.slipway.webhook.WebhookService;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The API over a {@link Plane}, and a client that checks every answer against the contract: its
 * status must be one that the operation names, its body what the contract says.
 */
public final class ApiPlace implements AutoCloseable {
  static final int MAX_JSON_BYTES = 1 << 20;
  static final int MANY = 1_000_000;
  static final Contract CONTRACT = Contract.load("/openapi/slipway.yaml");
  private static final ObjectMapper JSON = new ObjectMapper();

  public final Plane plane = new Plane();
  public final String key = addKey(plane.account);
  final WebhookService webhooks =
      new WebhookService(plane.database, plane.vault, false, plane.clock);
  private final Api.Http http;
  private final HttpServer server;

  /** With limits that no test comes near. */
  public ApiPlace() {
    this(new Api.Http(_ -> MANY, MANY, List.of(), List.of(), MAX_JSON_BYTES, Api.Http.BODY_TIME));
  }

  ApiPlace(Api.Http http) {
    this.http = http;
    Api api = new Api(parts());
    plane.main.deployments.tell(api.announcer());
    plane.main.migrations.tell(api.announcer());
    plane.main.projects.tell(api.announcer());
    plane.main.domains.tell(api.announcer());
    this.server = serve(api.handler());
  }

  /** What the entrances are made of. */
  public Api.Parts parts() {
    return new Api.Parts(
        plane.vertx,
        plane.database,
        plane.vault,
        new Accounts(plane.database, new AccountStore(), plane.clock),
        new Callers(plane.database, plane.clock),
        plane.main.migrations,
        new DryRuns(
            plane.sources,
            plane.uploads,
            new DryRun(plane.directory, new Frameworks(), Duration.ofSeconds(60), () -> {})),
        plane.main.service(),
        plane.logs,
        plane.uploads,
        Plane.ADDRESSES,
        new MigrationOperations.Choices(
            List.of("github", "zip"),
            List.of("node-express"),
            List.of("eu-west-1", Plane.REGION),
            List.of(Plane.INSTANCE_TYPE, "large"),
            5),
        new Api.ProjectParts(
            plane.main.projects,
            plane.main.deployments.restarts(),
            plane.main.previews.service(),
            plane.main.domains,
            plane.main.certificates,
            new ProjectMetrics(plane.database, new TrafficStore(), new UseStore(), plane.clock),
            plane.main.hooks,
            new Api.DatabaseParts(
                plane.databases.service(),
                Map.of(DatabaseType.POSTGRES, addresses(), DatabaseType.MYSQL, plane.mysql)),
            List.of(
                new InstanceTypeConfig(Plane.INSTANCE_TYPE, 512, 0.5),
                new InstanceTypeConfig("large", 8192, 2)),
            tier -> new TierConfig(30, 100)),
        plane.events,
        webhooks,
        new Exposition(new TrafficMeters(), true),
        plane.clock,
        http);
  }

  // Reads addresses as the server does; what is asked for is made by the plane's fake.
  private DatabaseProvider addresses() {
    return PostgresProvider.of(
        ApplicationsCluster.below(plane.directory), Optional.empty(), plane.servers);
  }

  public HttpServer serve(Handler<HttpServerRequest> handler) {
    return get(
        plane
            .vertx
            .createHttpServer()
            .requestHandler(handler)
            .invalidRequestHandler(handler)
            .listen(0, "127.0.0.1"));
  }

  public record Reply(int status, MultiMap headers, String body) {
    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (JsonProcessingException e) {
        throw new AssertionError("not JSON: " + body, e);
      }
    }

    public JsonNode data() {
      return json().path("data");
    }

    String code() {
      return json().at("/error/code").asText();
    }

    String message() {
      return json().at("/error/message").asText();
    }
  }

  int port() {
    return server.actualPort();
  }

  /** A key that opens the account. */
  public String addKey(AccountId account) {
    String made = "key-of-" + account + "-" + ApiKeyId.next();
    plane.database.useTransaction(tx ->
        tx.execute(
            "INSERT INTO api_key (id, account_id, name, hint, hash, created_at)"
                + " VALUES (?, ?, 'test', 'test', sha256(convert_to(?, 'UTF8')), now())",
            ApiKeyId.next().value(),
            account.value(),
            made));
    return made;
  }

  public Reply get(String uri) {
    return send("GET", uri, authorized(key), Optional.empty());
  }

  /** What a request with that key is answered with. */
  public int statusWith(String otherKey, String uri) {
    return getAs(otherKey, uri).status();
  }

  Reply getAs(String otherKey, String uri) {
    return send("GET", uri, authorized(otherKey), Optional.empty());
  }

  public Reply post(String uri, String json) {
    return postAs(key, uri, json);
  }

  /** With a body where there is one to send. */
  public Reply call(String method, String uri, String json) {
    return send(
        method,
        uri,
        authorized(key).add("Content-Type", "application/json"),
        json.isEmpty() ? Optional.empty() : Optional.of(json.getBytes(StandardCharsets.UTF_8)));
  }

  Reply postAs(String otherKey, String uri, String json) {
    return send(
        "POST",
        uri,
        authorized(otherKey).add("Content-Type", "application/json"),
        Optional.of(json.getBytes(StandardCharsets.UTF_8)));
  }

  static MultiMap authorized(String key) {
    return MultiMap.caseInsensitiveMultiMap().add("Authorization", "Bearer " + key);
  }

  /** Sends what may be no proper request at all; {@code uri} goes out as it is. */
  Reply send(String method, String uri, MultiMap headers, Optional<byte[]> body) {
    Reply reply = exchange(method, uri, headers, body);
    if (uri.startsWith("/v1")) {
      for (String header : List.of("Limit", "Remaining", "Reset")) {
        assertThat(reply.headers().get("X-RateLimit-" + header)).as(header).matches("\\d+");
      }
    }
    assertThat(reply.headers().get("X-Request-Id")).as("X-Request-Id").isNotEmpty();
    assertThat(reply.headers().get("Content-Type")).isEqualTo("application/json");
    Schema schema = schema(method, uri.replaceAll("\\?.*", ""), reply);
    Faults faults = new Faults();
    CONTRACT.check(schema, reply.json(), "", faults);
    assertThat(faults.sentences())
        .as("%s %s %d %s", method, uri, reply.status(), reply.body())
        .isEmpty();
    return reply;
  }

  /** The same unchecked, as bytes. */
  RawHttp.Response raw(String method, String uri, MultiMap headers) {
    try {
      return RawHttp.exchange(port(), method, uri, headers, Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + uri, e);
    }
  }

  private Reply exchange(String method, String uri, MultiMap headers, Optional<byte[]> body) {
    try {
      RawHttp.Response answer = RawHttp.exchange(port(), method, uri, headers, body);
      return new Reply(answer.status(), answer.headers(), answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + uri, e);
    }
  }

  private static Schema schema(String method, String path, Reply reply) {
    for (Contract.Operation operation : CONTRACT.operations()) {
      String pattern = "/v1" + operation.path().replaceAll("\\{\\w+}", "[^/]+");
      if (operation.method().equals(method) && path.matches(pattern)) {
        return CONTRACT
            .answer(operation.id(), reply.status())
            .orElseThrow(() ->
                new AssertionError(
                    "the contract knows no %d of %s: %s"
                        .formatted(reply.status(), operation.id(), reply.body())));
      }
    }
    // What no operation answers is an error, in the shape that all of them have.
    return CONTRACT.answer("listMigrations", 401).orElseThrow();
  }

  static <T> T get(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  static String json(Map<String, ?> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    get(server.close());
    plane.close();
  }
}
